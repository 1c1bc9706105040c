// SARIF 2.1.0, which GitHub code scanning, Azure DevOps and editors read:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/code_points.hpp"
#include "cli/judge/manifest_finding.hpp"
#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"
#include "cli/terminal/json_stream.hpp"
#include "config/build_info.hpp"
#include "manifests/location.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

/// The rules and the advice of one Kubernetes release.
class SarifRules {
 public:
  explicit SarifRules(Version version);

  /// A reportingDescriptor for each, by id.
  ordered_json descriptors() const;

  /// The place of a rule in that list, or -1.
  int index_of(const std::string& rule) const;

 private:
  struct Description {
    std::string_view text;            // why, or when
    std::string_view source;          // of the first row
    std::set<std::string_view> help;  // what to do, of every row
    bool is_denial = false;
  };

  std::map<std::string_view, Description> all_;  // by id: rows with the same id make one rule
};

std::string joined(const std::set<std::string_view>& texts) {
  std::string text;
  for (const std::string_view each : texts) text.append(text.empty() ? "" : "; or ").append(each);
  return text;
}

SarifRules::SarifRules(Version version) {
  for (const Rule& rule : rules()) {
    if (!rule.versions.contains(version)) continue;
    Description& made = all_[rule.id];
    if (made.text.empty()) made.text = rule.reason;
    if (made.source.empty()) made.source = rule.source;
    made.help.insert(rule.instead);
    made.is_denial |= rule.action == Action::deny;
  }
  for (const AdviceKind& kind : all_advice()) {
    if (!kind.versions.contains(version)) continue;
    all_[kind.id] = {.text = kind.when,
                     .source = kind.source,
                     .help = {kind.instead},
                     .is_denial = kind.action == Action::deny};
  }
}

ordered_json SarifRules::descriptors() const {
  ordered_json list = ordered_json::array();
  for (const auto& [id, description] : all_) {
    ordered_json row = {
        {"id", id},
        {"shortDescription", {{"text", description.text}}},
        {"help", {{"text", joined(description.help)}}},
        {"defaultConfiguration", {{"level", description.is_denial ? "error" : "warning"}}}};
    if (const std::string url = first_url(description.source); !url.empty()) row["helpUri"] = url;
    list.push_back(std::move(row));
  }
  return list;
}

int SarifRules::index_of(const std::string& rule) const {
  const auto found = all_.find(rule);
  return found == all_.end() ? -1 : static_cast<int>(std::distance(all_.begin(), found));
}

/// Braces around one value may mean the value itself.
ordered_json list_of(ordered_json entry) {
  ordered_json list = ordered_json::array();
  list.push_back(std::move(entry));
  return list;
}

ordered_json artifact(const std::string& file) {
  const bool is_absolute = std::filesystem::path(file).is_absolute();
  return {{"uri", (is_absolute ? "file://" : "") + escape_uri_path(file)}};
}

ordered_json region_of(const manifests::Location& in_bytes) {
  const manifests::Location location = code_point_location(in_bytes);
  ordered_json region = {{"startLine", location.line}};
  if (location.column > 0) region["startColumn"] = location.column;
  if (location.end_column > location.column) region["endColumn"] = location.end_column;
  return region;
}

ordered_json location_of(const manifests::Location& place) {
  ordered_json physical = {{"artifactLocation", artifact(place.file)}};
  if (place.line > 0) physical["region"] = region_of(place);
  return {{"physicalLocation", std::move(physical)}};
}

ordered_json location_of(const ManifestFinding& finding) {
  ordered_json location = location_of(finding.location);
  if (!finding.object.kind.empty()) {
    location["logicalLocations"] = list_of({{"name", finding.object.name},
                                            {"kind", "object"},
                                            {"fullyQualifiedName", finding.object.to_string()}});
  }
  return location;
}

ordered_json fix_of(const ManifestFinding& finding) {
  ordered_json replacements = ordered_json::array();
  for (const Replacement& each : finding.fix) {
    ordered_json replacement = {{"deletedRegion",
                                 {{"startLine", each.begin.line},
                                  {"startColumn", each.begin.column},
                                  {"endLine", each.end.line},
                                  {"endColumn", each.end.column}}}};
    if (!each.text.empty()) replacement["insertedContent"] = {{"text", each.text}};
    replacements.push_back(std::move(replacement));
  }
  const ordered_json change = {{"artifactLocation", artifact(finding.location.file)},
                               {"replacements", std::move(replacements)}};
  return {{"description", {{"text", escape_sarif(finding.instead)}}},
          {"artifactChanges", list_of(change)}};
}

class SarifReport final : public Report {
 public:
  SarifReport(std::ostream& out, Version kubernetes)
      : out_(out), rules_(kubernetes), results_(out, 3) {}

  void begin() override {
    const ordered_json driver = {{"name", "winadmit"},
                                 {"version", std::string(server::kVersion)},
                                 {"rules", rules_.descriptors()}};
    out_ << "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
            "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n";
    write_member(out_, 3, "tool", {{"driver", driver}});
    out_ << ",\n";
    write_member(out_, 3, "columnKind", "unicodeCodePoints");
    out_ << ",\n      \"results\": ";
    results_.begin();
  }

  void finding(const ManifestFinding& finding) override {
    ordered_json result = {{"ruleId", finding.rule},
                           {"level", finding.is_denial ? "error" : "warning"},
                           {"message", {{"text", escape_sarif(headline(finding))}}},
                           {"locations", list_of(location_of(finding))},
                           {"partialFingerprints", {{"winadmit/v1", finding.fingerprint}}}};
    if (const int index = rules_.index_of(finding.rule); index >= 0) result["ruleIndex"] = index;
    if (!finding.fix.empty()) result["fixes"] = list_of(fix_of(finding));
    results_.add(result);
  }

  void error(const manifests::FileError& error) override {
    ordered_json notification = {{"level", "error"},
                                 {"message", {{"text", escape_sarif(error.what)}}}};
    if (!error.location.file.empty())
      notification["locations"] = list_of(location_of(error.location));
    notifications_.push_back(std::move(notification));
  }

  bool wants_fixes() const override { return true; }

  void end(const Summary& summary) override {
    results_.end();
    ordered_json invocation = {{"executionSuccessful", summary.errors.empty()}};
    if (!notifications_.empty()) invocation["toolExecutionNotifications"] = notifications_;
    out_ << ",\n";
    write_member(out_, 3, "invocations", list_of(invocation));
    out_ << "\n    }\n  ]\n}\n";
  }

 private:
  std::ostream& out_;
  SarifRules rules_;
  JsonList results_;
  ordered_json notifications_ = ordered_json::array();
};

}  // namespace

std::unique_ptr<Report> make_sarif_report(std::ostream& out, const ReportSettings& settings) {
  return std::make_unique<SarifReport>(out, settings.kubernetes);
}

}  // namespace winadmit::cli
