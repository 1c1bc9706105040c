#include "cli/suppress/fingerprint.hpp"

#include <filesystem>

#include "bytes/digest.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

/// From the working directory, however it was named.
std::string file_of(const ManifestFinding& finding) {
  const fs::path file = fs::path(finding.location.file).lexically_normal();
  return file.is_absolute() ? file.lexically_proximate(fs::current_path()).string() : file.string();
}

}  // namespace

std::string Fingerprints::of(const ManifestFinding& finding) {
  const ObjectName& object = finding.object;
  std::string identity;
  for (const std::string& part : {file_of(finding), object.group, object.kind, object.name_space,
                                  object.name, finding.field, finding.rule}) {
    identity += std::to_string(part.size()) + ':' + part;
  }
  const std::size_t before = seen_[identity]++;
  if (before > 0) identity += std::to_string(before);
  return sha256(identity);
}

}  // namespace winadmit::cli
