// Counts of a run of `winadmit check`.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/judge/verdict.hpp"

namespace winadmit::cli {

using Counts = std::map<std::string, std::size_t>;

struct Summary {
  std::size_t objects = 0;
  std::size_t windows = 0;                // objects with a pod that asks for Windows
  std::size_t refused = 0;                // with a denial
  std::size_t warned = 0;                 // with warnings alone
  std::size_t warned_without_object = 0;  // comments and entries of .winadmit.yaml
  Counts denials;                         // by rule
  Counts warnings;                        // by rule
  Counts not_judged;                      // by kind and group, such as "Rollout.argoproj.io"
  Counts excluded_objects;                // by namespace, which winadmit does not check
  std::vector<std::string> skipped =
      {};                    // what in folders is no Kubernetes object: FILE:LINE:COLUMN
  std::size_t excluded = 0;  // files
  std::vector<std::string> skipped_charts = {};     // folders of templates of Helm charts
  std::vector<std::string> skipped_templates = {};  // other templates: FILE:LINE:COLUMN
  std::vector<std::string> kustomizations = {};     // folders that are not rendered
  std::vector<std::string> patches = {};  // for other objects, not judged: FILE:LINE:COLUMN
  bool may_render = true;                 // else no command that renders is said
  std::string patched_folder = {};        // a kustomization with one of these patches
  std::vector<std::string> errors = {};   // what could not be read, one line each
  std::size_t ignored = 0;                // findings, by annotations, comments and .winadmit.yaml
  std::size_t accepted = 0;               // findings, by exempt.findings of the configuration
  std::size_t exempt = 0;                 // objects, by the configuration, but for their namespace
  std::map<std::string, std::set<std::string>> turned_down = {};  // rules, by .winadmit.yaml
  std::size_t in_baseline = 0;                                    // findings
  std::size_t gone_from_baseline = 0;  // findings of the baseline that are in their file no more

  /// Counts an object with the findings that are reported.
  void add(const Verdict& verdict);
  /// Counts a warning about a comment or an entry of .winadmit.yaml.
  void add_without_object(const ManifestFinding& finding);

 private:
  void count(const ManifestFinding& finding);
};

/// "3 objects".
std::string counted(std::size_t count, const std::string& what, const char* plural = "s");

/// "3 Service, 1 Rollout.argoproj.io": the largest first.
std::string to_string(const Counts& counts);

/// The lines that end a report for people, such as "2 objects, 1 with Windows pods: 1 refused,
/// 0 with warnings". Empty if nothing was read.
std::vector<std::string> summary_lines(const Summary& summary);

/// How many findings have an action, as "2 host-pid, 1 volume-nfs".
struct ActionCounts {
  bool are_denials;
  std::string by_rule;

  std::string_view label() const { return are_denials ? "errors" : "warnings"; }
};

/// Of the actions that there are findings with.
std::vector<ActionCounts> counts_by_action(const Summary& summary);

/// The members of a report beside its findings: errors, notJudged, notChecked, skipped,
/// skippedCharts, skippedTemplates, kustomizations, patches, summary.
nlohmann::ordered_json report_members(const Summary& summary);

/// The members findings, objects, windows, refused, warned, denials, warnings, ignored, accepted,
/// exempt, projectTurnsDown, inBaseline, goneFromBaseline, excluded.
nlohmann::ordered_json to_json(const Summary& summary);

}  // namespace winadmit::cli
