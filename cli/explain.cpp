#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/rule_text.hpp"
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
       {"spec.jobTemplate.spec.template.", "spec.template.", "template."}) {
    if (!field.starts_with(template_path)) continue;
    field.erase(0, template_path.size());
    break;
  }
  const bool rooted =
      field.starts_with("spec.") || field == "spec" || field.starts_with("metadata");
  return rooted ? field : "spec." + field;
}

/// "hugepages-2Mi" of "...resources.limits[hugepages-2Mi]", the last key of a map; "" without one.
std::string_view key_of(std::string_view path) {
  if (!path.ends_with(']') || path.ends_with("[*]")) return {};
  path.remove_suffix(1);
  return path.substr(path.rfind('[') + 1);
}

bool forbids_key(const Rule& rule, std::string_view key) {
  return rule.forbids.forbids_key != nullptr && !key.empty() && rule.forbids.forbids_key(key);
}

bool is_same_or_below(std::string_view path, const std::vector<std::string>& fields) {
  return std::ranges::any_of(fields, [&](const std::string& each) {
    return is_same_path(path, each) || is_below(path, each);
  });
}

bool concerns(const Rule& rule, std::string_view path) {
  const std::string_view key = key_of(path);
  if (rule.scope == Scope::annotation && !key.empty()) {
    return path.starts_with("metadata.annotations[") && matches_annotation(rule.field, key);
  }
  if (rule.forbids.forbids_key != nullptr && !key.empty() && !forbids_key(rule, key)) return false;
  const auto fields = paths_of(rule.scope, rule.field);
  const bool is_above = std::ranges::any_of(fields, [&](const std::string& each) {
    return is_same_path(path, each) || is_below(each, path);
  });
  if (is_above) return true;
  if (!rule.forbids.relates) return is_same_or_below(path, fields);
  std::string read(rule.field);
  if (!read.empty()) read += '.';
  read += rule.forbids.reads;
  return is_same_or_below(path, paths_of(rule.scope, read));
}

bool concerns(const AdviceKind& advice, std::string_view path) {
  return std::ranges::any_of(advice.fields, [&](std::string_view each) {
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
            << "  action:      " << default_action(advice)
            << (advice.action == Action::allow ? ", until the configuration sets it\n" : "\n")
            << "  Kubernetes:  " << to_string(advice.versions) << '\n'
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
  bool is_forbidden_key = false;
  for (const Rule& rule : rules()) {
    if (!concerns(rule, path)) continue;
    print(rule);
    found = true;
    is_forbidden_key |= forbids_key(rule, key_of(path));
  }
  for (const AdviceKind& advice : advice_kinds()) {
    if (!concerns(advice, path)) continue;
    print(advice);
    found = true;
  }
  const AllowedField* const allowed = is_forbidden_key ? nullptr : find_allowed_field(path);
  if (allowed != nullptr) {
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
