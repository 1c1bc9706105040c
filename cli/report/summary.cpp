#include "cli/report/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <utility>

#include "cli/terminal/shell_word.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

std::size_t total(const Counts& counts) {
  std::size_t sum = 0;
  for (const auto& [what, count] : counts) sum += count;
  return sum;
}

/// The first names, and the number of the others.
std::string first_of(const auto& all) {
  constexpr std::size_t kMaxNames = 10;
  std::vector<std::string> names;
  for (const std::string& name : all) {
    if (names.size() == kMaxNames) {
      names.push_back(fmt::format("{} others", std::size(all) - kMaxNames));
      break;
    }
    names.push_back(printable(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// `folder`: of a chart or a kustomization; "" if it is not known.
std::string hint_to_render(const Summary& summary, const fs::path& folder) {
  if (!summary.may_render) return {};
  if (folder.empty()) return "; check what kubectl kustomize prints";
  return printable("; winadmit check --render " + shell_word(folder.string()) +
                   " checks the result");
}

}  // namespace

void Summary::count(const ManifestFinding& finding) {
  ++(finding.is_denial ? denials : warnings)[finding.rule];
}

void Summary::add_without_object(const ManifestFinding& finding) {
  ++warned_without_object;
  count(finding);
}

void Summary::add(const Verdict& verdict) {
  ++objects;
  if (verdict.asks_for_windows) ++windows;
  if (verdict.is_excluded) {
    ++excluded_objects[verdict.object.name_space];
  } else if (!verdict.is_judged) {
    ++not_judged[verdict.object.group_kind()];
  }
  accepted += verdict.accepted;
  if (verdict.is_exempt) ++exempt;
  for (const ManifestFinding& each : verdict.findings) count(each);
  if (std::ranges::any_of(verdict.findings, &ManifestFinding::is_denial)) {
    ++refused;
  } else if (!verdict.findings.empty()) {
    ++warned;
  }
}

std::string counted(std::size_t count, const std::string& what, const char* plural) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : plural);
}

std::string to_string(const Counts& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::size_t>::second);
  std::string text;
  for (const auto& [what, count] : sorted) {
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + ' ' + what;
  }
  return text;
}

std::vector<ActionCounts> counts_by_action(const Summary& summary) {
  std::vector<ActionCounts> counts;
  if (!summary.denials.empty()) counts.push_back({true, to_string(summary.denials)});
  if (!summary.warnings.empty()) counts.push_back({false, to_string(summary.warnings)});
  return counts;
}

std::vector<std::string> summary_lines(const Summary& summary) {
  std::vector<std::string> lines;
  if (summary.objects > 0) {
    lines.push_back(fmt::format("{}, {} with Windows pods: {} refused, {} with warnings",
                                counted(summary.objects, "object"), summary.windows,
                                summary.refused, summary.warned));
    if (!summary.errors.empty()) lines.back() += "; " + counted(summary.errors.size(), "error");
  }
  if (summary.warned_without_object > 0) {
    lines.push_back(counted(summary.warned_without_object, "warning") +
                    " about comments and .winadmit.yaml");
  }
  if (!summary.not_judged.empty())
    lines.push_back(printable("not judged: " + to_string(summary.not_judged)));
  if (!summary.excluded_objects.empty()) {
    lines.push_back(fmt::format("{} in namespaces that winadmit does not check: {}",
                                counted(total(summary.excluded_objects), "object"),
                                first_of(std::views::keys(summary.excluded_objects))));
  }
  if (!summary.skipped.empty()) {
    const bool is_one = summary.skipped.size() == 1;
    lines.push_back("skipped: " + counted(summary.skipped.size(), "document") +
                    (is_one ? " that is no Kubernetes object" : " that are no Kubernetes objects"));
  }
  if (summary.excluded > 0) lines.push_back("excluded: " + counted(summary.excluded, "file"));
  if (!summary.skipped_charts.empty()) {
    lines.push_back(
        "skipped: the templates of " + counted(summary.skipped_charts.size(), "Helm chart") +
        hint_to_render(summary, fs::path(summary.skipped_charts.front()).parent_path()));
  }
  if (!summary.patches.empty()) {
    lines.push_back("not judged: " + counted(summary.patches.size(), "patch", "es") +
                    hint_to_render(summary, summary.patched_folder));
  } else if (!summary.kustomizations.empty()) {
    lines.push_back("not rendered: " + counted(summary.kustomizations.size(), "kustomization") +
                    hint_to_render(summary, summary.kustomizations.front()));
  }
  if (!summary.skipped_templates.empty()) {
    lines.push_back("skipped: " + counted(summary.skipped_templates.size(), "unrendered template") +
                    "; check what is rendered");
  }
  if (summary.ignored > 0) lines.push_back("ignored: " + counted(summary.ignored, "finding"));
  if (summary.accepted > 0) {
    lines.push_back("accepted by the configuration: " + counted(summary.accepted, "finding"));
  }
  if (summary.exempt > 0)
    lines.push_back("exempt by the configuration: " + counted(summary.exempt, "object"));
  for (const auto& [file, rules] : summary.turned_down) {
    lines.push_back(fmt::format("{} turns down {}: {}", printable(file),
                                counted(rules.size(), "rule"), first_of(rules)));
  }
  if (summary.in_baseline > 0)
    lines.push_back("in the baseline: " + counted(summary.in_baseline, "finding"));
  if (summary.gone_from_baseline > 0) {
    lines.push_back(
        "in the baseline, and not found: " + counted(summary.gone_from_baseline, "finding") +
        "; renew it with --write-baseline");
  }
  return lines;
}

nlohmann::ordered_json to_json(const Summary& summary) {
  return {{"findings", total(summary.denials) + total(summary.warnings)},
          {"objects", summary.objects},
          {"windows", summary.windows},
          {"refused", summary.refused},
          {"warned", summary.warned},
          {"denials", summary.denials},
          {"warnings", summary.warnings},
          {"ignored", summary.ignored},
          {"accepted", summary.accepted},
          {"exempt", summary.exempt},
          {"projectTurnsDown", summary.turned_down},
          {"inBaseline", summary.in_baseline},
          {"goneFromBaseline", summary.gone_from_baseline},
          {"excluded", summary.excluded}};
}

nlohmann::ordered_json report_members(const Summary& summary) {
  return {{"errors", summary.errors},
          {"notJudged", summary.not_judged},
          {"notChecked", summary.excluded_objects},
          {"skipped", summary.skipped},
          {"skippedCharts", summary.skipped_charts},
          {"skippedTemplates", summary.skipped_templates},
          {"kustomizations", summary.kustomizations},
          {"patches", summary.patches},
          {"summary", to_json(summary)}};
}

}  // namespace winadmit::cli
