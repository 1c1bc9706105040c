#include "config/config_exemptions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "config/config_finding_exemptions.hpp"
#include "config/config_names.hpp"
#include "config/label_syntax.hpp"

namespace winadmit::server {
namespace {

/// Controllers create pods for all users: to exempt a controller is to exempt everyone.
bool is_controller(std::string_view user) {
  return user.starts_with("system:serviceaccount:kube-system:") ||
         user == "system:kube-controller-manager";
}

bool contains_controllers(std::string_view group) {
  return group == "system:serviceaccounts" || group == "system:serviceaccounts:kube-system" ||
         group == "system:authenticated";
}

/// Of a name of a user or of a group that no requester can have. Names are compared as a whole.
std::string name_error(const std::string& what, const std::string& name) {
  const std::string begin = "exempt " + what + " '" + name + "' matches nobody: ";
  if (name.find('*') != name.npos) return begin + "names are no patterns";
  if (name.front() == ' ' || name.back() == ' ') return begin + "it has space around it";
  return {};
}

/// The rest of `name` behind a prefix that the API server gives away itself.
std::optional<std::string_view> behind(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

bool is_service_account(std::string_view name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  return is_dns_label(name.substr(0, colon)) && colon < name.size() &&
         is_dns_subdomain(name.substr(colon + 1));
}

std::string user_error(const std::string& user) {
  if (is_controller(user)) {
    return "user '" + user +
           "' is a controller, which creates pods for all users: exempting it would exempt "
           "everyone";
  }
  const auto account = behind("system:serviceaccount:", user);
  const auto node = behind("system:node:", user);
  if ((account && !is_service_account(*account)) || (node && !is_dns_subdomain(*node)))
    return "exempt user '" + user + "' matches nobody: it is no name of a service account or node";
  return name_error("user", user);
}

std::string group_error(const std::string& group) {
  if (contains_controllers(group)) {
    return "group '" + group +
           "' contains controllers, which create pods for all users: exempting it would exempt "
           "everyone";
  }
  const auto name_space = behind("system:serviceaccounts:", group);
  if (name_space && !is_dns_label(*name_space))
    return "exempt group '" + group +
           "' matches nobody: " + namespace_error(std::string(*name_space));
  return name_error("group", group);
}

std::string runtime_class_error(const std::string& name) {
  return is_dns_subdomain(name) ? "" : "'" + name + "' is not the name of a RuntimeClass";
}

/// `kError`: what is wrong with a name; empty if it can match.
template <std::vector<std::string> Exemptions::* kMember, auto kError>
void read_names(ConfigReader& reader, Exemptions& exempt, const ConfigNode& value,
                const std::string& key) {
  exempt.*kMember = reader.strings(value, key, kError);
}

constexpr auto kExemptKeys = std::to_array<Key<Exemptions>>({
    {{"exempt.namespaces", "list of names of namespaces", "[]",
      "Namespaces whose objects are neither checked nor changed."},
     // With another the API server would refuse the webhook configurations and the policies.
     read_names<&Exemptions::namespaces, namespace_error>},
    {{"exempt.users", "list of strings", "[]",
      "Users whose requests are neither checked nor changed. Controllers are refused: they create "
      "pods for all users."},
     read_names<&Exemptions::users, user_error>},
    {{"exempt.groups", "list of strings", "[]",
      "Groups whose requests are neither checked nor changed. Groups that contain controllers are "
      "refused."},
     read_names<&Exemptions::groups, group_error>},
    {{"exempt.runtimeClasses", "list of strings", "[]",
      "RuntimeClasses whose pods are neither checked nor changed. Anyone who creates a pod may "
      "name one."},
     read_names<&Exemptions::runtime_classes, runtime_class_error>},
    {{"exempt.byAnnotation", "boolean", "false",
      "Ignore the findings that the annotation winadmit.dev/ignore of a pod or a pod template "
      "names. Anyone who creates a pod can then avoid every rule."},
     [](ConfigReader& reader, Exemptions& exempt, const ConfigNode& value, const std::string& key) {
       reader.boolean(exempt.by_annotation, value, key);
     }},
    {{"exempt.findings", "list of exemptions", "[]",
      "Findings that are accepted in a namespace, of a rule, or of a rule in a namespace. Pods are "
      "placed as without it."},
     [](ConfigReader& reader, Exemptions& exempt, const ConfigNode& value, const std::string& key) {
       exempt.findings = read_finding_exemptions(reader, value, "exempt." + key);
     }},
});

}  // namespace

Exemptions read_exemptions(ConfigReader& reader, const ConfigNode& node, const std::string& what) {
  Exemptions exempt;
  read_mapping<Exemptions>(reader, exempt, node, what, kExemptKeys);
  return exempt;
}

std::span<const Key<Exemptions>> exemption_keys() { return kExemptKeys; }

}  // namespace winadmit::server
