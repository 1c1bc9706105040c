#include "cli/suppress/baseline.hpp"

#include <algorithm>
#include <stdexcept>

#include "bytes/files.hpp"
#include "cli/report/json_stream.hpp"

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
    files_[fingerprint] = finding.is_object() ? finding.value("file", "") : "";
  }
}

bool Baseline::take(const ManifestFinding& finding) {
  return files_.erase(finding.fingerprint) > 0;
}

std::size_t Baseline::count_left(const std::string& file) const {
  return static_cast<std::size_t>(
      std::ranges::count(files_, file, [](const auto& each) { return each.second; }));
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
