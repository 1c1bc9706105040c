#include "export/admission_policies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "export/cel/affinity_terms.hpp"
#include "export/cel/kind_findings.hpp"
#include "export/cel/rule_findings.hpp"
#include "export/policy_parts.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::server {

namespace {

using Json = nlohmann::ordered_json;

/// The ids of the advice that the policies do not give.
std::vector<std::string_view> advice_ids() {
  std::vector<std::string_view> ids;
  for (const AdviceKind& each : advice_kinds()) {
    if (!has_cel(each.id)) ids.push_back(each.id);
  }
  return ids;
}

}  // namespace

std::vector<Json> admission_policies(const Config& config, const PolicyExport& options) {
  const auto api = mutating_policy_api(config.policy.kubernetes);
  std::vector<Json> all;
  const auto add = [&](std::vector<Json> objects) {
    std::ranges::move(objects, std::back_inserter(all));
  };
  if (options.mutating && api) add(mutating_policies(*api, config, options));
  if (options.validating) add(validating_policies(config, options));
  const std::string from = exported_from(config, options);
  for (Json& each : all) each["metadata"]["annotations"] = {{kExportedFromAnnotation, from}};
  return all;
}

std::vector<PolicyGap> policy_gaps(const Config& config) {
  std::vector<PolicyGap> gaps;
  for (const Rule& rule : rules()) {
    if (!rule.versions.contains(config.policy.kubernetes)) continue;
    for (std::string& each : cel_differences(rule)) {
      gaps.push_back({std::string(rule.id), std::move(each)});
    }
  }
  const std::vector<std::string_view> advice = advice_ids();
  gaps.push_back({"advice", fmt::format("it is left out: {}", fmt::join(advice, ", "))});
  gaps.push_back(
      {"malformed-field", "the API server has decoded the object, so no field has a wrong type"});
  gaps.push_back({"affinity", std::string(kAffinityTermsDiffer)});
  gaps.push_back({"updates",
                  "a list whose entries changed their order counts as changed, and an entry of "
                  "projected.sources is known if any entry had its value"});
  if (!config.policy.tolerations_by_build.empty()) {
    gaps.push_back({"placement",
                    "a pod that drops the toleration that names its Windows build on UPDATE gets "
                    "those for pods that name none, too"});
  }
  gaps.push_back({"messages",
                  "a refusal explains one rule and names the others with their fields; fields are "
                  "named by container or volume, not by index"});
  for (const auto& [id, action] : config.policy.actions) {
    if (action == Action::strip) {
      gaps.push_back({"rules." + id, "a policy cannot remove fields from lists: it warns"});
    } else if (action == Action::deny && std::ranges::find(advice, id) != advice.end()) {
      gaps.push_back({"rules." + id, "the policies give no advice, so they do not refuse it"});
    }
  }
  if (config.exempt.by_annotation) {
    gaps.push_back({"exempt.byAnnotation", "the policies do not read winadmit.dev/ignore"});
  }
  if (config.audits_default_os) {
    gaps.push_back(
        {"defaultOsMode", "a policy cannot tell what it would change: nothing is audited"});
  }
  if (!config.exempt.findings.empty()) {
    gaps.push_back({"exempt.findings", "the policies refuse and warn of these findings, too"});
  }
  if (config.policy.set_os) {
    gaps.push_back(
        {"setOs", "it would have to remove the fields that the API server refuses with spec.os"});
  }
  return gaps;
}

}  // namespace winadmit::server
