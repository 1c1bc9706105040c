#include "server/config/config_exemptions.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "server/config/config_finding_exemptions.hpp"
#include "server/config/config_names.hpp"

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

void read_users(ConfigReader& reader, Exemptions& exempt, const ConfigNode& value,
                const std::string& key) {
  exempt.users = reader.strings(value, key, [](const std::string& user) {
    return !is_controller(user) ? ""
                                : "user '" + user +
                                      "' is a controller, which creates pods for all users: "
                                      "exempting it would exempt everyone";
  });
}

void read_groups(ConfigReader& reader, Exemptions& exempt, const ConfigNode& value,
                 const std::string& key) {
  exempt.groups = reader.strings(value, key, [](const std::string& group) {
    return !contains_controllers(group)
               ? ""
               : "group '" + group +
                     "' contains controllers, which create pods for all users: exempting it would "
                     "exempt everyone";
  });
}

void read_namespaces(ConfigReader& reader, Exemptions& exempt, const ConfigNode& value,
                     const std::string& key) {
  // With another the API server would refuse the webhook configurations and the policies.
  exempt.namespaces = reader.strings(value, key, namespace_error);
}

template <std::vector<std::string> Exemptions::* kMember>
void read_strings(ConfigReader& reader, Exemptions& exempt, const ConfigNode& value,
                  const std::string& key) {
  exempt.*kMember = reader.strings(value, key);
}

constexpr auto kExemptKeys = std::to_array<Key<Exemptions>>({
    {{"exempt.namespaces", "list of names of namespaces", "[]",
      "Namespaces whose objects are neither checked nor changed."},
     read_namespaces},
    {{"exempt.users", "list of strings", "[]",
      "Users whose requests are neither checked nor changed. Controllers are refused: they create "
      "pods for all users."},
     read_users},
    {{"exempt.groups", "list of strings", "[]",
      "Groups whose requests are neither checked nor changed. Groups that contain controllers are "
      "refused."},
     read_groups},
    {{"exempt.runtimeClasses", "list of strings", "[]",
      "RuntimeClasses whose pods are neither checked nor changed. Anyone who creates a pod may "
      "name one."},
     read_strings<&Exemptions::runtime_classes>},
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
