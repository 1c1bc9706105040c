#include "cli/suppress/fingerprint.hpp"

#include <filesystem>

#include "bytes/digest.hpp"
#include "cli/project/glob.hpp"

namespace winadmit::cli {

namespace fs = std::filesystem;

std::string path_from_here(const std::string& file) {
  return path_from(fs::current_path(), file).string();
}

std::string Fingerprints::of(const ManifestFinding& finding) {
  const ObjectName& object = finding.object;
  const std::string& place = finding.named_pointer.empty() ? finding.field : finding.named_pointer;
  // An unused comment or entry has no object; its message names the rule.
  const std::string about = object.kind.empty() ? finding.message() : "";
  std::string identity;
  for (const std::string& part : {path_from_here(finding.location.file), object.group, object.kind,
                                  object.name_space, object.name, place, finding.rule, about}) {
    identity += std::to_string(part.size()) + ':' + part;
  }
  const std::size_t before = seen_[identity]++;
  if (before > 0) identity += std::to_string(before);
  return sha256(identity);
}

}  // namespace winadmit::cli
