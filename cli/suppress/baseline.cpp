#include "cli/suppress/baseline.hpp"

#include <stdexcept>

#include "bytes/files.hpp"
#include "cli/terminal/json_stream.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

}  // namespace

Baseline::Baseline(const std::string& file) {
  const json read = json::parse(read_file(file), nullptr, false);
  const bool is_baseline = read.is_object() && read.value("version", json()) == kVersion &&
                           read.contains("findings") && read["findings"].is_object();
  if (!is_baseline) {
    throw std::runtime_error(file + " is not a baseline that --write-baseline wrote");
  }
  for (const auto& [fingerprint, finding] : read["findings"].items()) {
    const std::string of = finding.is_object() ? finding.value("file", "") : "";
    files_[fingerprint] = of;
    ++left_[of];
  }
}

bool Baseline::take(const ManifestFinding& finding) {
  const auto known = files_.find(finding.fingerprint);
  if (known == files_.end()) return false;
  --left_[known->second];
  files_.erase(known);
  return true;
}

std::size_t Baseline::count_left(const std::string& file) const {
  const auto left = left_.find(file);
  return left == left_.end() ? 0 : left->second;
}

void BaselineWriter::add(const ManifestFinding& finding) {
  findings_[finding.fingerprint] = {{"file", finding.location.file},
                                    {"object", finding.object.to_string()},
                                    {"field", finding.field},
                                    {"rule", finding.rule}};
}

void BaselineWriter::write(const std::string& file) const {
  const json all = {{"version", kVersion}, {"findings", findings_}};
  write_file(file, to_ascii_json(all) + '\n', Readers::as_before);
}

}  // namespace winadmit::cli
