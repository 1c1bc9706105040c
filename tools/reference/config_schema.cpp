#include "tools/reference/config_schema.hpp"

#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/pod/platform.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {
namespace {

using Json = nlohmann::ordered_json;

Json one_of(std::initializer_list<std::string_view> values) { return {{"enum", values}}; }

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json mapping_to(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json dns_label() {
  return {{"type", "string"}, {"pattern", "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"}};
}

Json text() { return {{"type", "string"}, {"minLength", 1}}; }

/// The releases that winadmit knows are examples: it takes newer ones, too.
Json kubernetes_release() {
  Json releases = Json::array();
  for (int minor = kOldestVersion.minor; minor <= kNewestVersion.minor; ++minor) {
    releases.push_back(to_string(Version{1, minor}));
  }
  return {{"type", "string"},
          {"pattern", "^(1[.](1[4-9]|[2-9][0-9])|[2-9][.][0-9]+)$"},
          {"examples", releases}};
}

Json platform_id() {
  Json ids = Json::array();
  for (const Platform& each : platforms()) ids.push_back(each.id);
  return {{"enum", ids}};
}

Json actions_by_id() {
  Json actions = Json::object();
  for (const std::string_view id : finding_ids()) {
    actions[std::string(id)] = is_removable(id) ? one_of({"allow", "warn", "deny", "strip"})
                                                : one_of({"allow", "warn", "deny"});
  }
  return {{"type", "object"}, {"properties", actions}, {"additionalProperties", false}};
}

Json object_with_keys(std::string_view prefix);

Json toleration() {
  Json schema = object_with_keys("tolerations[].");
  schema["required"] = {"key"};
  return schema;
}

Json tolerations_by_build() {
  Json schema = mapping_to(list_of(toleration()));
  schema["propertyNames"] = {{"pattern", "^10[.]0[.]"}};
  return schema;
}

Json label_values() {
  Json value_with_build = mapping_to({{"type", "string"}, {"pattern", "^10[.]0[.]"}});
  return list_of({{"anyOf", {text(), value_with_build}}});
}

Json date() {
  return {{"type", "string"}, {"pattern", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"}};
}

Json finding_exemption() {
  Json schema = object_with_keys("exempt.findings[].");
  schema["required"] = {"reason"};
  schema["anyOf"] = {{{"required", {"namespace"}}}, {{"required", {"rule"}}}};
  return schema;
}

Json exemptions() { return object_with_keys("exempt."); }

Json schema_of(std::string_view type) {
  static const std::map<std::string_view, std::function<Json()>> kSchemas = {
      {"boolean", [] { return Json{{"type", "boolean"}}; }},
      {"string", text},
      {"string, may be empty", [] { return Json{{"type", "string"}}; }},
      {"release of Kubernetes", kubernetes_release},
      {"id of a platform", platform_id},
      {"list of strings", [] { return list_of(text()); }},
      {"name of a namespace", dns_label},
      {"id of a rule or of advice", [] { return Json{{"enum", finding_ids()}}; }},
      {"date", date},
      {"list of exemptions", [] { return list_of(finding_exemption()); }},
      {"list of names of namespaces", [] { return list_of(dns_label()); }},
      {"warn or deny", [] { return one_of({"warn", "deny"}); }},
      {"linux or windows", [] { return one_of({"linux", "windows"}); }},
      {"enforce or audit", [] { return one_of({"enforce", "audit"}); }},
      {"Equal or Exists", [] { return one_of({"Equal", "Exists"}); }},
      {"NoSchedule, PreferNoSchedule or NoExecute",
       [] { return one_of({"NoSchedule", "PreferNoSchedule", "NoExecute"}); }},
      {"mapping of ids to allow, warn, deny or strip", actions_by_id},
      {"list of tolerations", [] { return list_of(toleration()); }},
      {"mapping of Windows builds to lists of tolerations", tolerations_by_build},
      {"mapping of label keys to lists of values", [] { return mapping_to(label_values()); }},
      {"mapping", exemptions},
  };
  const auto found = kSchemas.find(type);
  if (found == kSchemas.end()) throw std::logic_error("no schema for '" + std::string(type) + "'");
  return found->second();
}

/// The keys whose names are `prefix` and one key more.
Json object_with_keys(std::string_view prefix) {
  Json properties = Json::object();
  for (const server::ConfigKey& key : server::config_keys()) {
    if (!key.name.starts_with(prefix) || key.name.size() != prefix.size() + key.key().size()) {
      continue;
    }
    Json schema = schema_of(key.type);
    schema["description"] = key.description;
    properties[std::string(key.key())] = std::move(schema);
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

using Values = std::map<std::string_view, std::set<std::string_view>>;

Json to_json(const Values& values) {
  Json object = Json::object();
  for (const auto& [key, of_key] : values) object[std::string(key)] = of_key;
  return object;
}

Json taints_of(const std::vector<Toleration>& tolerations) {
  Values values;
  for (const Toleration& each : tolerations) values[each.key].insert(each.value);
  return to_json(values);
}

Json taints_of(const TolerationsByBuild& by_build) {
  std::vector<Toleration> all;
  for (const auto& [build, tolerations] : by_build) {
    all.insert(all.end(), tolerations.begin(), tolerations.end());
  }
  return taints_of(all);
}

}  // namespace

Json config_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "The configuration file of winadmit"}};
  schema.update(object_with_keys(""));
  return schema;
}

Json platform_literals() {
  Json all = Json::object();
  for (const Platform& each : platforms()) {
    all[std::string(each.id)] = {{"windowsLabels", windows_labels_of(each)},
                                 {"taints", taints_of(tolerations_of(each))},
                                 {"taintsByBuild", taints_of(tolerations_by_build_of(each))}};
  }
  return all;
}

}  // namespace winadmit
