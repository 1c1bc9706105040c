#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "cli/commands.hpp"
#include "cli/rule_text.hpp"
#include "policy/judge/advice.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit::cli {
namespace {

/// Writes "containers[0].x", "containers[].x" or a path in a workload template as the tables do.
std::string normalized(std::string field) {
  for (std::size_t open = field.find('['); open != std::string::npos;
       open = field.find('[', open + 1)) {
    const std::size_t close = field.find(']', open);
    if (close == std::string::npos) break;
    const std::string inside = field.substr(open + 1, close - open - 1);
    const bool is_index = inside.find_first_not_of("0123456789*") == std::string::npos;
    if (is_index) field.replace(open, close - open + 1, "[*]");
  }
  for (const std::string_view template_path :
       {"spec.jobTemplate.spec.template.spec.", "spec.template.spec.", "template.spec."}) {
    if (field.starts_with(template_path)) return "spec." + field.substr(template_path.size());
  }
  const bool rooted =
      field.starts_with("spec.") || field == "spec" || field.starts_with("metadata");
  return rooted ? field : "spec." + field;
}

bool concerns(const Rule& rule, std::string_view path) {
  const auto paths = paths_of(rule.scope, rule.field);
  return std::ranges::any_of(paths, [&](const std::string& each) {
    return is_same_path(path, each) || is_below(path, each) || is_below(each, path);
  });
}

void print(const Rule& rule) {
  std::cout << rule.id << '\n'
            << "  field:       " << full_field(rule) << '\n'
            << "  forbidden:   when it " << condition(rule) << '\n'
            << "  action:      " << to_string(rule.action) << '\n'
            << "  Kubernetes:  " << to_string(rule.versions) << '\n'
            << "  because:     " << rule.reason << '\n'
            << "  instead:     " << rule.instead << '\n'
            << "  source:      " << rule.source << "\n\n";
}

void print(const AdviceKind& advice) {
  std::cout << advice.id << '\n'
            << "  when:        " << advice.when << '\n'
            << "  instead:     " << advice.instead << '\n'
            << "  source:      " << advice.source << "\n\n";
}

bool explain_id(const std::string& id) {
  bool found = false;
  for (const Rule& rule : rules()) {
    if (rule.id != id) continue;
    print(rule);
    found = true;
  }
  for (const AdviceKind& advice : advice_kinds()) {
    if (advice.id != id) continue;
    print(advice);
    found = true;
  }
  return found;
}

bool explain_field(const std::string& field) {
  const std::string path = normalized(field);
  bool found = false;
  for (const Rule& rule : rules()) {
    if (!concerns(rule, path)) continue;
    print(rule);
    found = true;
  }
  if (const AllowedField* allowed = find_allowed_field(path)) {
    std::cout << path << "\n  allowed for a windows pod";
    if (allowed->versions.last <= kNewestVersion) {
      std::cout << " in Kubernetes " << to_string(allowed->versions);
    }
    std::cout << ", because " << allowed->because << "\n  source:      " << allowed->source << '\n';
    found = true;
  }
  return found;
}

/// The rule ids that contain the word, separated by commas.
std::string similar_ids(const std::string& word) {
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules()) {
    if (rule.id.find(word) != std::string_view::npos &&
        std::ranges::find(ids, rule.id) == ids.end()) {
      ids.push_back(rule.id);
    }
  }
  return fmt::format("{}", fmt::join(ids, ", "));
}

int explain(const std::string& what) {
  if (explain_id(what) || explain_field(what)) return kClean;
  std::cerr << "winadmit: no rule and no pod field is named '" << what << "'";
  if (const std::string ids = similar_ids(what); !ids.empty()) {
    std::cerr << "; did you mean " << ids << '?';
  }
  std::cerr << '\n';
  return kUsage;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain a rule, or what the policy says about a pod field");
  command
      ->add_option("ID-OR-FIELD", *what,
                   "Such as host-pid, or spec.containers[0].securityContext.privileged")
      ->required();
  command->callback([what, &exit_code] { exit_code = explain(*what); });
}

}  // namespace winadmit::cli
