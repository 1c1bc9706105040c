#include "tests/policy/judge/naive.hpp"

#include <simdjson.h>

#include <algorithm>
#include <stdexcept>

#include "policy/pod/pod.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit::test {
namespace {

using nlohmann::json;

/// A field in a pod.
struct Location {
  json::json_pointer pointer;
  std::string field;
};

/// Every field that a path such as spec.volumes[*].nfs stands for and that has a value.
std::vector<Location> fields_of(const json& pod, std::string_view path) {
  std::vector<Location> locations = {{json::json_pointer(), ""}};
  while (!path.empty()) {
    std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    const bool is_list = step.ends_with("[*]");
    if (is_list) step.remove_suffix(3);
    std::vector<Location> next;
    for (const Location& at : locations) {
      const json& parent = pod.at(at.pointer);
      const std::string key(step);
      if (!parent.is_object() || !parent.contains(key)) continue;
      const Location member = {at.pointer / key, at.field + (at.field.empty() ? "" : ".") + key};
      if (!is_list) {
        next.push_back(member);
        continue;
      }
      const json& list = parent.at(key);
      for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
        next.push_back({member.pointer / i, member.field + '[' + std::to_string(i) + ']'});
      }
    }
    locations = std::move(next);
  }
  return locations;
}

std::vector<Location> fields_of(const json& pod, const Rule& rule) {
  std::vector<Location> locations;
  if (rule.scope == Scope::annotation) {
    if (!pod.contains("/metadata/annotations"_json_pointer)) return locations;
    for (const auto& [key, value] : pod["metadata"]["annotations"].items()) {
      if (!matches_annotation(rule.field, key)) continue;
      locations.push_back(
          {"/metadata/annotations"_json_pointer / key, "metadata.annotations[" + key + ']'});
    }
    return locations;
  }
  for (const std::string& path : paths_of(rule.scope, rule.field)) {
    for (Location& each : fields_of(pod, path)) locations.push_back(std::move(each));
  }
  return locations;
}

bool is_host_process(const json& holder, bool default_value) {
  static const json::json_pointer kHostProcess("/securityContext/windowsOptions/hostProcess");
  return holder.contains(kHostProcess) && holder.at(kHostProcess).is_boolean()
             ? holder.at(kHostProcess).get<bool>()
             : default_value;
}

bool is_host_process_pod(const json& spec) {
  const bool of_pod = is_host_process(spec, false);
  std::size_t containers = 0;
  for (const std::string_view list : kContainerLists) {
    for (const json& each : spec.value(std::string(list), json::array())) {
      if (!is_host_process(each, of_pod)) return false;
      ++containers;
    }
  }
  return containers > 0;
}

bool inherits_user_by_annotation(const json& pod) {
  static const json::json_pointer kKey(
      "/metadata/annotations/microsoft.com~1hostprocess-inherit-user");
  return pod.contains(kKey) && pod.at(kKey) == json("true");
}

bool holds(const Condition& condition, const json& pod, bool by_os) {
  const json& spec = pod["spec"];
  if (condition.holds == all_host_process_without_spec_os.holds) {
    return is_host_process_pod(spec) && !by_os;
  }
  if (condition.holds == spec_os_is_windows.holds) return by_os;
  if (condition.holds == inherits_user.holds) return inherits_user_by_annotation(pod);
  if (condition.holds == all_host_process.holds) return is_host_process_pod(spec);
  if (condition.holds == host_process_on_host_network.holds)
    return is_host_process_pod(spec) && spec.value("hostNetwork", json()) == json(true);
  throw std::logic_error("add the condition to holds() of tests/policy/judge/naive.cpp");
}

bool applies(const Rule& rule, const json& pod, bool by_os, Version kubernetes) {
  const auto applies = [&](const Condition& each) {
    return kubernetes >= each.since && holds(each, pod, by_os);
  };
  return (!rule.only_if || applies(rule.only_if)) && (!rule.unless || !applies(rule.unless));
}

/// With sorted lists, so that they compare as sets.
json sorted(json value) {
  for (json& each : value) {
    if (value.is_structured()) each = sorted(each);
  }
  if (value.is_array()) std::sort(value.begin(), value.end());
  return value;
}

}  // namespace

std::vector<NaiveFinding> naive_findings(const json& pod, const Settings& settings) {
  simdjson::dom::parser parser;
  const JsonValue document = parser.parse(pod.dump());
  const Pod view =
      read_pod(document.get_object(), *find_pod_kind("Pod"), settings.target.windows_labels);
  const bool by_os = settings.kubernetes >= Version{1, 24} && view.os_name == "windows";
  std::vector<NaiveFinding> findings;
  for (const Rule& rule : rules()) {
    if (!rule.versions.contains(settings.kubernetes)) continue;
    for (const Location& at : fields_of(pod, rule)) {
      const json& value = pod.at(at.pointer);
      if (value.is_null() || !applies(rule, pod, by_os, settings.kubernetes)) continue;
      Context where{.pod = view,
                    .container = *view.spec,
                    .spec_os = by_os,
                    .kubernetes = settings.kubernetes};
      const std::string pointer = at.pointer.to_string();
      for (const std::string_view list : kContainerLists) {
        const std::string prefix = "/spec/" + std::string(list) + '/';
        if (!pointer.starts_with(prefix)) continue;
        const std::size_t end = pointer.find('/', prefix.size());
        where.container = document.at_pointer(pointer.substr(0, end)).get_object();
      }
      const JsonValue element = document.at_pointer(pointer);
      const auto matches = [&](const Predicate& one) { return one && one.matches(element, where); };
      Action action = Action::allow;
      if (matches(rule.forbids)) action = rule.action;
      if (by_os && matches(rule.forbids_with_spec_os)) action = Action::deny;
      if (settings.strict &&
          matches(rule.forbids_strict ? rule.forbids_strict : rule.forbids_with_spec_os)) {
        action = Action::deny;
      }
      if (action == Action::allow) continue;
      const auto configured = settings.actions.find(rule.id);
      if (configured != settings.actions.end()) action = configured->second;
      if (action == Action::allow) continue;
      if (rule.forbids.forbids_key == nullptr) {
        findings.push_back({std::string(rule.id), at.field, action,
                            rule.field.empty() || rule.forbids.relates ? json() : sorted(value)});
        continue;
      }
      for (const auto& [key, entry] : value.items()) {
        if (!rule.forbids.forbids_key(key)) continue;
        if (!rule.forbids.forbids_entry(element.at_key(key))) continue;
        findings.push_back({std::string(rule.id), at.field + '[' + key + ']', action, entry});
      }
    }
  }
  std::ranges::sort(findings);
  return findings;
}

json PodGenerator::value(JsonType type) {
  static const json kBooleans = {true, true, false, nullptr};
  static const json kIntegers = {0, 1, 30, 420, nullptr};
  static const json kStrings = {"",
                                "x",
                                "Strict",
                                "Merge",
                                "Default",
                                "Unmasked",
                                "ClusterFirstWithHostNet",
                                "HostToContainer",
                                "Enabled",
                                "SCTP",
                                "Socket",
                                "Block",
                                "Block",
                                "hyperv",
                                "process",
                                "unconfined",
                                "localhost/a",
                                "/dev/termination-log",
                                "None",
                                "File",
                                "C:",
                                "c:/",
                                "/proc/1",
                                R"(\\.\pipe\a)",
                                "//./pipe/a",
                                nullptr};
  static const json kLists = {json::array(),     {"a"},  {"a", "b"}, {"b", "a"},
                              {"/bin/sh", "-c"}, nullptr};
  static const json kObjects = {json::object(),
                                {{"type", "Localhost"}},
                                {{"type", "RuntimeDefault"}},
                                {{"type", "Unconfined"}},
                                {{"level", "a"}},
                                {{"hugepages-2Mi", "1"}, {"cpu", "1"}},
                                {{"hugepages-1Gi", "0"}, {"hugepages-2Mi", "2"}},
                                {{"requests", {{"cpu", "1"}}}},
                                {{"requests", json::object()}},
                                {{"add", json::array()}},
                                nullptr};
  const json& values = type == JsonType::boolean   ? kBooleans
                       : type == JsonType::integer ? kIntegers
                       : type == JsonType::string  ? kStrings
                       : type == JsonType::list    ? kLists
                                                   : kObjects;
  return values[below(values.size())];
}

namespace {

/// Gives the mounts of the old pod their paths again: a mount with another path is another mount.
void keep_mount_paths(const json& old, json& pod) {
  for (const std::string_view list : kContainerLists) {
    const json::json_pointer containers = json::json_pointer("/spec") / std::string(list);
    for (std::size_t i = 0; old.contains(containers / i); ++i) {
      const json::json_pointer mounts = containers / i / "volumeMounts";
      for (std::size_t j = 0; old.contains(mounts / j); ++j) {
        const json& mount = old.at(mounts / j);
        if (!mount.is_object() || !pod.contains(mounts / j)) continue;
        pod.at(mounts / j).erase("mountPath");
        if (mount.contains("mountPath")) pod.at(mounts / j)["mountPath"] = mount.at("mountPath");
      }
    }
  }
}

}  // namespace

void PodGenerator::plant(json& pod) {
  const Rule& rule = rules()[below(rules().size())];
  if (rule.scope == Scope::annotation) {
    std::string key(rule.field);
    if (const std::size_t star = key.find('*'); star != key.npos) key.replace(star, 1, "app");
    const json text = value(JsonType::string);
    if (!text.is_null()) pod["metadata"]["annotations"][key] = text;
    return;
  }
  const auto paths = paths_of(rule.scope, rule.field);
  std::string_view path = paths[below(paths.size())];
  json* at = &pod;
  while (!path.empty()) {
    std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    const bool is_list = step.ends_with("[*]");
    if (is_list) step.remove_suffix(3);
    if (at->is_null()) *at = json::object();
    if (!at->is_object()) return;
    at = &(*at)[std::string(step)];
    if (!is_list) continue;
    if (at->is_null()) *at = json::array();
    if (!at->is_array()) return;
    const std::size_t index = below(3);
    while (at->size() <= index) at->push_back(json::object());
    at = &(*at)[index];
  }
  if (!rule.field.empty()) *at = value(rule.forbids.type);
  if (rule.forbids.matches == never.matches) *at = value(rule.forbids_with_spec_os.type);
}

void PodGenerator::plant_named_pipe(json& pod) {
  const std::string pipe = R"(\\.\pipe\a)";
  json host_path = {{"path", pipe}};
  if (below(3) == 0) host_path["type"] = below(2) == 0 ? "Directory" : "Socket";
  pod["spec"]["volumes"] = {{{"name", "pipe"}, {"hostPath", host_path}}};
  pod["spec"]["containers"][0]["volumeMounts"] = {
      {{"name", below(2) == 0 ? "pipe" : "x"}, {"mountPath", pipe}}};
}

void PodGenerator::plant_windows_options(json& pod) {
  json* holder = &pod["spec"];
  if (below(2) == 0) holder = &pod["spec"]["containers"][below(pod["spec"]["containers"].size())];
  if (!(*holder)["securityContext"].is_object()) (*holder)["securityContext"] = json::object();
  json& context = (*holder)["securityContext"];
  switch (below(5)) {
    case 0:
      context["windowsOptions"]["hostProcess"] = value(JsonType::boolean);
      break;
    case 1:
      context["windowsOptions"]["runAsUserName"] =
          below(3) == 0 ? "NetworkService" : "ContainerAdministrator";
      break;
    case 2:
      pod["metadata"]["annotations"]["microsoft.com/hostprocess-inherit-user"] =
          value(JsonType::boolean) == json(true) ? "true" : "false";
      break;
    case 3:
      plant_named_pipe(pod);
      break;
    default:
      context["runAsNonRoot"] = value(JsonType::boolean);
  }
}

json PodGenerator::pod() {
  json pod = {{"metadata", {{"name", "p"}}},
              {"spec",
               {{"nodeSelector", {{"kubernetes.io/os", "windows"}}},
                {"containers", json::array({json::object()})}}}};
  if (below(4) == 0) pod["spec"]["os"] = {{"name", "windows"}};
  for (std::size_t left = below(12); left > 0; --left) plant(pod);
  for (std::size_t left = below(4); left > 0; --left) plant_windows_options(pod);
  return pod;
}

json PodGenerator::changed(const json& old) {
  json pod = old;
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    below(3) == 0 ? plant_windows_options(pod) : plant(pod);
  }
  keep_mount_paths(old, pod);
  // Fields that no rule reads.
  if (below(3) == 0) pod["spec"]["containers"][0]["image"] = "a:" + std::to_string(below(9));
  if (below(3) == 0) pod["metadata"]["labels"]["a"] = std::to_string(below(9));
  return pod;
}

Settings PodGenerator::settings() {
  Settings settings;
  settings.kubernetes = {
      1, kOldestVersion.minor + static_cast<int>(below(static_cast<std::size_t>(
                                    kNewestVersion.minor - kOldestVersion.minor + 1)))};
  settings.strict = below(3) == 0;
  for (std::size_t left = below(3); left > 0; --left) {
    static constexpr Action kActions[] = {Action::allow, Action::warn, Action::deny};
    settings.actions[std::string(rules()[below(rules().size())].id)] = kActions[below(3)];
  }
  return settings;
}

}  // namespace winadmit::test
