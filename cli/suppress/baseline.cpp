#include "cli/suppress/baseline.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "bytes/files.hpp"
#include "cli/suppress/fingerprint.hpp"
#include "cli/terminal/json_stream.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

/// The members that are read; others are for people.
bool is_baseline(const json& read) {
  if (!read.is_object() || read.value("version", json()) != kVersion) return false;
  const auto findings = read.find("findings");
  return findings != read.end() && findings->is_object() &&
         std::ranges::all_of(*findings, [](const json& each) {
           return each.is_object() && each.contains("file") && each["file"].is_string() &&
                  !each["file"].get_ref<const std::string&>().empty();
         });
}

}  // namespace

Baseline::Baseline(const std::string& file) {
  const json read = json::parse(read_file(file), nullptr, false);
  if (!is_baseline(read)) {
    throw std::runtime_error(file + " is not a baseline that --write-baseline wrote");
  }
  for (const auto& [fingerprint, finding] : read["findings"].items()) {
    const auto of = path_from_here(finding["file"].get<std::string>());
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
  const auto left = left_.find(path_from_here(file));
  return left == left_.end() ? 0 : left->second;
}

BaselineWriter::BaselineWriter(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  if (file_ == "-") throw std::runtime_error("--write-baseline needs the name of a file, not -");
  std::error_code none;
  if (!std::filesystem::is_regular_file(file_, none) || std::filesystem::is_empty(file_, none))
    return;
  if (!is_baseline(json::parse(read_file(file_), nullptr, false))) {
    throw std::runtime_error("--write-baseline would overwrite " + file_ +
                             ", which is no baseline; name another file, or remove it");
  }
}

void BaselineWriter::add(const ManifestFinding& finding) {
  findings_[finding.fingerprint] = {{"file", path_from_here(finding.location.file)},
                                    {"object", finding.object.to_string()},
                                    {"field", finding.field},
                                    {"rule", finding.rule}};
}

void BaselineWriter::write() const {
  const json all = {{"version", kVersion}, {"findings", findings_}};
  write_file(file_, to_ascii_json(all) + '\n', Readers::as_before);
}

}  // namespace winadmit::cli
