#include "cli/suppress/baseline.hpp"

#include <stdexcept>

#include "certs/files.hpp"
#include "cli/report/json_stream.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

}  // namespace

Baseline::Baseline(const std::string& file) {
  const json read = json::parse(certs::read_file(file), nullptr, false);
  const bool is_baseline = read.is_object() && read.value("version", json()) == kVersion &&
                           read.contains("findings") && read["findings"].is_object();
  if (!is_baseline) {
    throw std::runtime_error(file + " is not a baseline that --write-baseline wrote");
  }
  for (const auto& [fingerprint, finding] : read["findings"].items()) {
    fingerprints_.insert(fingerprint);
  }
}

bool Baseline::contains(const ManifestFinding& finding) const {
  return fingerprints_.contains(finding.fingerprint);
}

void BaselineWriter::add(const ManifestFinding& finding) {
  findings_[finding.fingerprint] = {{"file", finding.location.file},
                                    {"object", finding.object.to_string()},
                                    {"field", finding.field},
                                    {"rule", finding.rule}};
}

void BaselineWriter::write(const std::string& file) const {
  const json all = {{"version", kVersion}, {"findings", findings_}};
  certs::write_file(file, to_ascii_json(all) + '\n', certs::Readers::everyone);
}

}  // namespace winadmit::cli
