#include "cli/judge/manifest_finding.hpp"

#include <algorithm>
#include <utility>

#include "cli/judge/check_advice.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

std::string_view source_of_advice(std::string_view id) {
  const auto found = std::ranges::find(all_advice(), id, &AdviceKind::id);
  return found == all_advice().end() ? std::string_view() : found->source;
}

}  // namespace

std::string ManifestFinding::subject() const {
  std::string from = source_file;
  for (const std::string& each : sets) {
    if (!from.empty()) from += &each == &sets.front() ? "; " : ", ";
    from += each;
  }
  return from.empty() ? object.to_string() : object.to_string() + " (" + from + ')';
}

std::string ManifestFinding::message() const {
  return instead.empty() ? reason : reason + "; " + instead;
}

std::string join_parts(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view each : parts) {
    if (!joined.empty() && !each.empty()) joined += ": ";
    joined += each;
  }
  return joined;
}

std::string headline(const ManifestFinding& finding) {
  return join_parts({finding.subject(), finding.field, finding.message()});
}

std::string to_string(const ManifestFinding& finding) {
  const std::string line = join_parts(
      {to_string(finding.location), finding.is_denial ? "error" : "warning", headline(finding)});
  return printable(line + " (" + finding.rule + ')');
}

std::string first_url(std::string_view source) {
  const std::size_t url = source.find("https://");
  if (url == std::string_view::npos) return "";
  return std::string(source.substr(url, source.find_first_of("; ", url) - url));
}

std::string source_url(const ManifestFinding& finding) {
  return first_url(finding.source.empty() ? source_of_advice(finding.rule) : finding.source);
}

nlohmann::ordered_json to_json(const ManifestFinding& finding) {
  nlohmann::ordered_json row = {{"file", finding.location.file}};
  if (finding.location.line != 0) row["line"] = finding.location.line;
  if (finding.location.column != 0) row["column"] = finding.location.column;
  if (finding.location.end_column != 0) row["endColumn"] = finding.location.end_column;
  if (!finding.source_file.empty()) row["sourceFile"] = finding.source_file;
  if (!finding.sets.empty()) row["sets"] = finding.sets;
  row["object"] = finding.object.to_string();
  if (!finding.object.name_space.empty()) row["namespace"] = finding.object.name_space;
  row["name"] = finding.object.name;
  row["kind"] = finding.object.group_kind();
  row["action"] = finding.is_denial ? "deny" : "warn";
  row["field"] = finding.field;
  row["message"] = finding.message();
  row["rule"] = finding.rule;
  if (const std::string url = source_url(finding); !url.empty()) row["source"] = url;
  return row;
}

}  // namespace winadmit::cli
