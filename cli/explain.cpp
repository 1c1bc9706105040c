// The subcommand explain: what the tables say of a rule or a field, with an example.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/examples/examples.hpp"
#include "cli/judge/check_advice.hpp"
#include "cli/judge/rule_ids.hpp"
#include "cli/options.hpp"
#include "cli/rules/field_query.hpp"
#include "cli/rules/field_rows.hpp"
#include "cli/rules/rule_text.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"
#include "text/printable.hpp"
#include "text/similar.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

std::string releases_of(const Rule& rule) {
  std::string text = to_string(rule.versions);
  if (needs_spec_os_or_strict(rule) && rule.versions.first < kPodOsVersion) {
    text += ", before " + to_string(kPodOsVersion) + " only with strict";
  }
  return text;
}

void print(const Rule& rule, std::optional<Version> version) {
  std::cout << rule.id << '\n'
            << "  field:       "
            << fmt::format("{}\n", fmt::join(paths_of(rule.scope, rule.field), "\n               "))
            << "  forbidden:   " << forbidden_text(rule, version) << '\n'
            << "  action:      " << to_string(rule.action) << '\n'
            << "  Kubernetes:  " << releases_of(rule) << '\n'
            << "  because:     " << rule.reason << '\n'
            << "  instead:     " << rule.instead << '\n'
            << "  source:      " << rule.source << "\n\n";
}

void print(const AdviceKind& advice) {
  std::cout << advice.id << '\n'
            << "  when:        " << advice.when << '\n'
            << "  action:      " << default_action(advice)
            << (advice.action == Action::allow ? ", until the configuration sets it\n" : "\n")
            << "  Kubernetes:  " << to_string(advice.versions) << '\n'
            << "  instead:     " << advice.instead << '\n'
            << "  source:      " << advice.source << "\n\n";
}

bool holds(const VersionRange& versions, std::optional<Version> version) {
  return !version || versions.contains(*version);
}

/// The release that an example is for.
Version release_of(std::string_view diff) {
  constexpr std::string_view kRelease = "# Kubernetes ";
  if (!diff.starts_with(kRelease)) return kNewestVersion;
  return *parse_version(diff.substr(kRelease.size(), diff.find('\n') - kRelease.size()));
}

/// The example, without its first line if that names the release. None for a release in which other
/// rows of the rule hold.
void print_example(std::string_view id, std::optional<Version> version) {
  const auto found = std::ranges::find(examples(), id, &Example::rule);
  if (found == examples().end()) return;
  std::string_view diff = found->diff;
  const Version release = release_of(diff);
  const bool is_shown = std::ranges::any_of(rules(), [&](const Rule& rule) {
    return rule.id == id && rule.versions.contains(release) && holds(rule.versions, version);
  });
  if (!is_shown) return;
  std::string title = "Example";
  if (diff.starts_with("# ")) {
    title += " for " + std::string(diff.substr(2, diff.find('\n') - 2));
    diff.remove_prefix(next_line_begin(diff));
  }
  std::cout << "  " << title << ", before (-) and after (+):\n\n";
  while (!diff.empty()) {
    const std::size_t size = next_line_begin(diff);
    std::cout << "    " << diff.substr(0, size);
    diff.remove_prefix(size);
  }
  std::cout << '\n';
}

/// The rows of a rule, the newest first: it is in force in most clusters.
template <class IsAbout>
std::vector<const Rule*> rows_of(std::string_view id, IsAbout is_about) {
  std::vector<const Rule*> rows;
  for (const Rule& rule : rules())
    if (rule.id == id && is_about(rule)) rows.push_back(&rule);
  std::ranges::stable_sort(rows, std::greater(),
                           [](const Rule* row) { return row->versions.last; });
  return rows;
}

bool explain_id(const std::string& id, std::optional<Version> version) {
  const auto rows = rows_of(id, [&](const Rule& rule) { return holds(rule.versions, version); });
  for (const Rule* rule : rows) print(*rule, version);
  bool found = !rows.empty();
  if (found) print_example(id, version);
  for (const AdviceKind& advice : all_advice()) {
    if (advice.id != id || !holds(advice.versions, version)) continue;
    print(advice);
    found = true;
  }
  return found;
}

void print(const AllowedField& allowed, const std::string& path) {
  const std::vector<std::string> own = paths_of(allowed.scope, allowed.field);
  const auto covering =
      std::ranges::find_if(own, [&](const std::string& each) { return is_below(path, each); });
  std::cout << printable(path) << "\n  "
            << (covering == own.end() ? "" : "as all of " + *covering + ", ")
            << "allowed for a windows pod";
  if (allowed.versions.last <= kNewestVersion) {
    std::cout << " in Kubernetes " << to_string(allowed.versions);
  }
  std::cout << ", because " << allowed.because << "\n  source:      " << allowed.source << '\n';
}

/// What is said of some field of these, each row once.
bool explain_fields(const std::vector<std::string>& paths, std::optional<Version> version) {
  const auto is_about = [&](const auto& row) {
    return holds(row.versions, version) &&
           std::ranges::any_of(paths, [&](const auto& path) { return concerns(row, path); });
  };
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules()) {
    if (!is_about(rule) || std::ranges::find(ids, rule.id) != ids.end()) continue;
    ids.push_back(rule.id);
    for (const Rule* row : rows_of(rule.id, is_about)) print(*row, version);
  }
  if (ids.size() == 1) print_example(ids.front(), version);
  bool found = !ids.empty();
  for (const AdviceKind& advice : all_advice()) {
    if (!is_about(advice)) continue;
    print(advice);
    found = true;
  }
  std::vector<const AllowedField*> printed;
  for (const std::string& path : paths) {
    const bool is_forbidden_key = std::ranges::any_of(
        rules(), [&](const Rule& rule) { return is_about(rule) && forbids_key_of(rule, path); });
    const AllowedField* const allowed = is_forbidden_key ? nullptr : find_allowed_field(path);
    if (allowed == nullptr || !holds(allowed->versions, version) ||
        std::ranges::find(printed, allowed) != printed.end()) {
      continue;
    }
    print(*allowed, path);
    printed.push_back(allowed);
    found = true;
  }
  return found;
}

/// Of names alone, `field` is no path.
bool explain_field(const std::string& field, bool is_in_api, std::optional<Version> version) {
  return (is_in_api && explain_fields({normalized_path(field)}, version)) ||
         explain_fields(paths_named(field), version);
}

/// "host-pid, host-ipc": the rule ids that contain the word, else the one that is nearest, else the
/// name of a field or the field that is.
std::string similar_words(const std::string& word) {
  std::vector<std::string_view> ids;
  for (const std::string_view id : rule_ids()) {
    if (id.find(word) != std::string_view::npos) ids.push_back(id);
  }
  if (!ids.empty()) return fmt::format("{}", fmt::join(ids, ", "));
  if (const std::string_view id = find_similar(word, rule_ids()); !id.empty())
    return std::string(id);
  const auto nearest = [](const std::string& path, const std::vector<std::string>& known) {
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    return std::string(find_similar(path, candidates));
  };
  const bool is_name = word.find('.') == std::string::npos;
  if (const std::string name = nearest(word, known_names()); is_name && !name.empty()) return name;
  const std::vector<std::string>& paths = known_paths();
  const std::string path = nearest(normalized_path(word), paths);
  return path.empty() ? nearest(word, paths) : path;
}

struct ExplainOptions {
  std::string what;
  std::string version;
};

int explain(const ExplainOptions& options) {
  std::optional<Version> version;
  if (!options.version.empty()) {
    version = read_release("--kubernetes-version", options.version);
  }
  const std::string& what = options.what;
  if (explain_id(what, version)) return kClean;
  if (is_rule_id(what)) {
    std::cout << what << " does not apply to Kubernetes " << to_string(*version)
              << ": it applies to " << releases_of_id(what) << '\n';
    return kClean;
  }
  const ApiLookup in_api = look_up(what);
  if (version && in_api.is_known && !in_api.versions.contains(*version)) {
    std::cout << "Kubernetes " << to_string(*version) << " has no field " << printable(what)
              << "; it is in " << to_string(in_api.versions) << '\n';
    return kClean;
  }
  if (explain_field(what, in_api.is_known, version)) return kClean;
  if (version) {
    std::string releases;
    if (in_api.is_known) releases = releases_about({normalized_path(what)});
    if (releases.empty()) releases = releases_about(paths_named(what));
    if (!releases.empty()) {
      std::cout << "the policy says nothing about " << printable(what) << " in Kubernetes "
                << to_string(*version) << "; it does in " << releases << '\n';
      return kClean;
    }
  }
  std::cerr << "winadmit: no rule and no pod field is named '" << printable(what) << "'";
  if (!in_api.place.empty()) {
    std::cerr << "; " << in_api.place;
  } else if (const std::string words = similar_words(what); !words.empty()) {
    std::cerr << "; did you mean " << words << '?';
  }
  std::cerr << '\n';
  return kError;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain a rule, or what the policy says about a pod field");
  command
      ->add_option("ID-OR-FIELD", options->what,
                   "Such as host-pid, or spec.containers[0].securityContext.privileged")
      ->required();
  command
      ->add_option("--kubernetes-version", options->version, "Explain what holds in this release")
      ->type_name("VERSION");
  command->callback([options, &exit_code] { exit_code = explain(*options); });
}

}  // namespace winadmit::cli
