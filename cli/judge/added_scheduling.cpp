#include "cli/judge/added_scheduling.hpp"

#include <algorithm>
#include <string_view>

#include "export/namespace_labels.hpp"
#include "policy/pod/labels.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// The plugins of the API server and of OpenShift read these annotations of a Namespace.
constexpr std::string_view kSelectorAnnotations[] = {"openshift.io/node-selector",
                                                     "scheduler.alpha.kubernetes.io/node-selector"};

/// "a=b,c=d" as labels.ConvertSelectorToLabelsMap of k8s.io/apimachinery reads it.
json parse_selector(std::string_view text) {
  json selector = json::object();
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    selector[std::string(trim(part.substr(0, equals)))] = trim(part.substr(equals + 1));
  }
  return selector;
}

/// Whether an entry of a node selector may mean Windows, on some platform.
bool may_mean_windows(const json& selector) {
  if (!selector.is_object()) return false;
  return std::ranges::any_of(selector.items(), [](const auto& each) {
    const json& value = each.value();
    if (each.key() != kOsLabel && each.key() != kBetaOsLabel) return true;
    return value.is_string() && value.template get_ref<const std::string&>() == "windows";
  });
}

/// Each pod gets all of them.
constexpr std::size_t kMaxEntries = 100;

constexpr const char* kTooMany =
    "has more than 100 entries in a node selector or in its tolerations";
constexpr const char* kLate =
    "objects before this one were judged without it, and it may send their pods to Windows: let it "
    "come first, or check a file instead of standard input";

/// The node selector of a RuntimeClass.scheduling.
json selector_of(const json& scheduling) {
  return scheduling.value("nodeSelector", json::object());
}

/// Adds the members that `to` lacks.
void merge(json& to, const json& from) {
  if (to.is_null()) to = json::object();
  if (to.is_object() && from.is_object()) to.insert(from.begin(), from.end());
}

/// MergeTolerations of k8s.io/kubernetes drops what another one covers, which changes nothing here.
void append(json& to, const json& from) {
  if (to.is_null()) to = json::array();
  if (to.is_array() && from.is_array()) to.insert(to.end(), from.begin(), from.end());
}

json* find_spec(Subject& subject) {
  json* at = &subject.change_object();
  for (const std::string_view key : subject.pod_kind()->template_path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[std::string(key)];
  }
  const bool has_spec = at->is_object() && at->contains("spec") && (*at)["spec"].is_object();
  return has_spec ? &(*at)["spec"] : nullptr;
}

/// The runtimeClassName of the pod or template; "" if there is none. Most objects are not changed,
/// and reading them costs no copy.
std::string class_of(Subject& subject) {
  std::string_view name;
  if (subject.is_changed()) {
    const json* const spec = find_spec(subject);
    const bool has_name = spec != nullptr && spec->contains("runtimeClassName") &&
                          spec->at("runtimeClassName").is_string();
    return has_name ? spec->at("runtimeClassName").get<std::string>() : std::string();
  }
  JsonValue at = subject.original();
  for (const std::string_view key : subject.pod_kind()->template_path)
    if (at[key].get(at) != simdjson::SUCCESS) return {};
  if (at["spec"]["runtimeClassName"].get(name) != simdjson::SUCCESS) return {};
  return std::string(name);
}

}  // namespace

bool AddedScheduling::OfNamespace::may_send_to_windows() const {
  return has_default_windows || may_mean_windows(node_selector);
}

std::string AddedScheduling::add(const manifests::Manifest& manifest) {
  const std::string_view kind = manifests::string_member(manifest.object, "kind");
  const bool is_class = kind == "RuntimeClass";
  if (!is_class && kind != "Namespace") return {};
  const std::string_view version = manifests::string_member(manifest.object, "apiVersion");
  std::string_view name;
  if (manifest.object["metadata"]["name"].get(name) != simdjson::SUCCESS) return {};
  if (is_class && version.starts_with("node.k8s.io/"))
    return add_class(std::string(name), manifest.object);
  if (!is_class && version == "v1") return add_namespace(std::string(name), manifest.object);
  return {};
}

std::string AddedScheduling::add_class(const std::string& name, JsonValue object) {
  JsonObject scheduling;
  const bool has_scheduling = object["scheduling"].get(scheduling) == simdjson::SUCCESS;
  json added = has_scheduling ? json::parse(simdjson::minify(scheduling)) : json::object();
  for (const char* member : {"nodeSelector", "tolerations"}) {
    if (added.contains(member) && added[member].size() > kMaxEntries) return kTooMany;
  }
  const bool may_send = may_mean_windows(selector_of(added));
  json& known = classes_[name];
  if (may_send || !known.is_object() || !may_mean_windows(selector_of(known)))
    known = std::move(added);
  return may_send && missed_classes_.contains(name) ? kLate : "";
}

std::string AddedScheduling::add_namespace(const std::string& name, JsonValue object) {
  OfNamespace added;
  for (const std::string_view key : kSelectorAnnotations) {
    std::string_view selector;
    if (object["metadata"]["annotations"][key].get(selector) == simdjson::SUCCESS)
      merge(added.node_selector, parse_selector(selector));
  }
  if (added.node_selector.size() > kMaxEntries) return kTooMany;
  std::string_view default_os;
  added.has_default_windows =
      object["metadata"]["labels"][server::kDefaultOsLabel].get(default_os) == simdjson::SUCCESS &&
      server::find_default_os(default_os) == Os::windows;
  const bool may_send = added.may_send_to_windows();
  OfNamespace& known = namespaces_[name];
  if (may_send || !known.may_send_to_windows()) known = std::move(added);
  return may_send && missed_namespaces_.contains(name) ? kLate : "";
}

bool AddedScheduling::add_to(Subject& subject) {
  if (subject.pod_kind() == nullptr || subject.is_review()) return false;
  const std::string name = class_of(subject);
  const auto of_class = classes_.find(name);
  if (of_class == classes_.end() && !name.empty()) missed_classes_.insert(name);
  const auto of_namespace = namespaces_.find(subject.name().name_space);
  if (of_namespace == namespaces_.end()) missed_namespaces_.insert(subject.name().name_space);
  const bool has_selector =
      of_namespace != namespaces_.end() && !of_namespace->second.node_selector.empty();
  if (of_class == classes_.end() && !has_selector) return false;
  json* const spec = find_spec(subject);
  if (spec == nullptr) return false;
  if (has_selector) merge((*spec)["nodeSelector"], of_namespace->second.node_selector);
  if (of_class == classes_.end()) return true;
  const json& scheduling = of_class->second;
  if (scheduling.contains("nodeSelector"))
    merge((*spec)["nodeSelector"], scheduling["nodeSelector"]);
  if (scheduling.contains("tolerations")) append((*spec)["tolerations"], scheduling["tolerations"]);
  return true;
}

bool AddedScheduling::defaults_to_windows(const std::string& name_space) {
  const auto found = namespaces_.find(name_space);
  if (found == namespaces_.end()) missed_namespaces_.insert(name_space);
  return found != namespaces_.end() && found->second.has_default_windows;
}

}  // namespace winadmit::cli
