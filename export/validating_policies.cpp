#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>

#include "export/cel/kind_findings.hpp"
#include "export/cel/pod_view.hpp"
#include "export/cel/rule_findings.hpp"
#include "export/namespace_labels.hpp"
#include "export/policy_parts.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

/// host-pid: hostPid.
std::string variable_name(std::string_view id) {
  std::string name;
  bool is_first_letter = false;
  for (const char c : id) {
    if (c == '-') {
      is_first_letter = true;
      continue;
    }
    name += is_first_letter ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_first_letter = false;
  }
  return name;
}

/// One of the policies that validate, and what it reports.
struct ValidatingPolicy {
  std::string_view name;
  Action action;
  Judged judged;
  std::string_view failure_policy;

  /// Whether its findings are denials, unless its binding says otherwise.
  constexpr bool denies() const { return action == Action::deny && judged == Judged::added; }
};

// An old finding is only a warning, and the action of a policy's binding is that of all its
// validations: hence the third.
constexpr std::array kValidatingPolicies = {
    ValidatingPolicy{"winadmit-denials", Action::deny, Judged::added, "Fail"},
    ValidatingPolicy{"winadmit-warnings", Action::warn, Judged::all, "Ignore"},
    ValidatingPolicy{"winadmit-unchanged", Action::deny, Judged::existing, "Ignore"},
};

std::vector<CelFinding> findings_of(const ValidatingPolicy& policy, const Settings& settings) {
  std::vector<CelFinding> all;
  const auto add = [&](std::vector<CelFinding> findings) {
    std::erase_if(findings, [&](const CelFinding& each) { return each.action != policy.action; });
    std::ranges::move(findings, std::back_inserter(all));
  };
  for (const Rule& rule : rules()) add(rule_findings(rule, settings, policy.judged));
  add(kind_findings(settings, policy.judged));
  return all;
}

/// The mode of the namespace.
CelVariable namespace_mode(const PolicyExport& options) {
  return {"mode", fill("[namespaceObject.metadata.?labels[?$label].orValue('')].map(label,\n"
                       "  label in $modes ? label : $default)[0]",
                       {{"$label", cel_string(kModeLabel)},
                        {"$modes", cel_list(kModeValues)},
                        {"$default", cel_string(to_string(options.modes.default_mode))}})};
}

/// Whether the API server shows the message of one validation alone: that of a denial.
std::string is_refused_alone(const Config& config) {
  std::string is_enforced = "variables.mode == 'enforce'";
  if (config.policy.workloads != Action::deny) is_enforced += " && request.kind.kind == 'Pod'";
  return is_enforced;
}

/// The names of the variables that hold the places of each finding.
std::vector<std::string> names_of(const std::vector<CelFinding>& findings) {
  std::map<std::string, int> used;
  std::vector<std::string> names;
  for (const CelFinding& each : findings) {
    const std::string name = variable_name(each.id);
    const int count = ++used[name];
    names.push_back(count == 1 ? name : name + std::to_string(count));
  }
  return names;
}

Json validation(const CelFinding& finding, const std::string& name, bool is_denial) {
  std::string text = cel_string(finding.text);
  if (!finding.text_in_ephemeral.empty()) {
    text = fill("(request.?subResource.orValue('') == 'ephemeralcontainers' ?\n  $in :\n  $else)",
                {{"$in", cel_string(finding.text_in_ephemeral)}, {"$else", text}});
  }
  if (!finding.text_with_spec_os.empty()) {
    text = fill("(variables.pod.spec.?os.?name.orValue('') == 'windows' ?\n  $with :\n  $without)",
                {{"$with", cel_string(finding.text_with_spec_os)}, {"$without", text}});
  }
  Json json = {{"expression", "variables." + name + ".size() == 0"}};
  // The API server evaluates it for every request, not only for those that fail.
  if (is_denial || !finding.has_one_place || !finding.text_with_spec_os.empty() ||
      !finding.text_in_ephemeral.empty()) {
    json["messageExpression"] =
        fill("variables.$name.size() == 0 ? '' : variables.$name.join(', ') +\n  $text$others",
             {{"$name", name},
              {"$text", text},
              {"$others", is_denial ? " + variables.otherFindings" : ""}});
  } else {
    json["message"] = finding.pattern + finding.text;
  }
  json["reason"] = "Forbidden";
  return json;
}

std::string name_of(const ValidatingPolicy& policy, const Variant& variant) {
  return fmt::format("{}{}", policy.name, variant.suffix);
}

/// What a policy says of its findings.
struct Parts {
  std::vector<CelVariable> variables;  // of each finding, then of all together
  Json validations = Json::array();
};

/// "(variables.hostPid.size() == 0 ? [] : ['host-pid: ' + ...])".
std::string text_of_places(const CelFinding& finding, const std::string& name) {
  return fill("(variables.$name.size() == 0 ? [] : [$id + variables.$name.join(', ')])",
              {{"$name", name}, {"$id", cel_string(std::string(finding.id) + ": ")}});
}

Parts parts_of(const ValidatingPolicy& policy, const Config& config) {
  const std::vector<CelFinding> findings = findings_of(policy, config.policy);
  const std::vector<std::string> names = names_of(findings);
  Parts parts;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    parts.variables.push_back({names[i], findings[i].places});
    texts.push_back(text_of_places(findings[i], names[i]));
    parts.validations.push_back(validation(findings[i], names[i], policy.denies()));
  }
  // A list without an entry has a type only if something in it had.
  if (texts.empty()) texts.emplace_back("[''].filter(text, text != '')");
  parts.variables.push_back({"findings", fmt::format("{}", fmt::join(texts, " +\n"))});
  if (!policy.denies()) return parts;
  parts.variables.push_back(
      {"otherFindings", fill("$alone && variables.findings.size() > 1 ?\n"
                             "  ' All ' + string(variables.findings.size()) + ' problems: ' +\n"
                             "  variables.findings.join('; ') : ''",
                             {{"$alone", is_refused_alone(config)}})});
  return parts;
}

Json resource_rules(const ValidatingPolicy& policy, const Config& config) {
  Json rules = rules_for(Resources::pods_with_subresources_and_workloads, config);
  if (policy.judged != Judged::existing) return rules;
  for (Json& rule : rules) rule["operations"] = {"UPDATE"};
  return rules;
}

/// The API server records only the first failure of a binding in its audit log.
Json audit_annotation() {
  return {{"key", "findings"},
          {"valueExpression", "variables.mode == 'audit' ? variables.findings.join('; ') : ''"}};
}

Json validating_policy(const ValidatingPolicy& policy, const Variant& variant, const Config& config,
                       const PolicyExport& options) {
  std::vector<CelVariable> variables = pod_variables(config.policy, variant.default_os);
  variables.push_back(namespace_mode(options));
  Parts parts = parts_of(policy, config);
  append(variables, std::move(parts.variables));
  return policy_object(
      "v1", "ValidatingAdmissionPolicy", name_of(policy, variant),
      {{"failurePolicy", policy.failure_policy},
       {"matchConstraints", {{"resourceRules", resource_rules(policy, config)}}},
       {"matchConditions", match_conditions_of(changes_pod_or_template(), variant, config)},
       {"variables", to_json(variables)},
       {"validations", std::move(parts.validations)},
       {"auditAnnotations", Json::array({audit_annotation()})}});
}

// For the namespaces of each default OS. Linux pods are not judged, so Linux needs no variant.
constexpr std::array kJudgedVariants = {
    Variant{"", DefaultOs::not_windows, Os::none},
    Variant{"-default-windows", DefaultOs::windows, Os::windows},
};

/// One binding of each validating policy.
struct Binding {
  std::string_view suffix;
  Mode mode;
  Resources resources;
};

constexpr std::array kBindings = {
    Binding{"enforce", Mode::enforce, Resources::pods_and_subresources},
    Binding{"workloads", Mode::enforce, Resources::workloads},
    Binding{"warn", Mode::warn, Resources::pods_with_subresources_and_workloads},
    Binding{"audit", Mode::audit, Resources::pods_with_subresources_and_workloads},
};

std::string_view validation_action(const ValidatingPolicy& policy, const Binding& binding,
                                   const Config& config) {
  if (binding.mode == Mode::audit) return "Audit";
  const bool denies =
      policy.denies() && binding.mode == Mode::enforce &&
      (binding.resources != Resources::workloads || config.policy.workloads == Action::deny);
  return denies ? "Deny" : "Warn";
}

Json validating_binding(const ValidatingPolicy& policy, const Variant& variant,
                        const Binding& binding, const Config& config, const PolicyExport& options) {
  Json matches = match_resources(binding.mode, variant.namespaces, config, options);
  matches["resourceRules"] = rules_for(binding.resources, config);
  return policy_object("v1", "ValidatingAdmissionPolicyBinding",
                       fmt::format("{}-{}{}", policy.name, binding.suffix, variant.suffix),
                       {{"policyName", name_of(policy, variant)},
                        {"matchResources", std::move(matches)},
                        {"validationActions", {validation_action(policy, binding, config)}}});
}

}  // namespace

std::vector<Json> validating_policies(const Config& config, const PolicyExport& options) {
  std::vector<Json> all;
  for (const Variant& variant : kJudgedVariants) {
    for (const ValidatingPolicy& policy : kValidatingPolicies) {
      all.push_back(validating_policy(policy, variant, config, options));
      for (const Binding& each : kBindings) {
        all.push_back(validating_binding(policy, variant, each, config, options));
      }
    }
  }
  return all;
}

}  // namespace winadmit::server
