#include "export/cel/toleration_cel.hpp"

#include "export/cel/cel_text.hpp"
#include "policy/judge/placement.hpp"

namespace winadmit {

using nlohmann::ordered_json;

ordered_json own_taints(const Settings& settings) {
  ordered_json all = ordered_json::object();
  for (const auto& [build, set] : settings.tolerations_by_build) {
    for (const Toleration& taint : set) {
      if (identifies_build(taint, set, settings)) all[build].push_back(to_json(taint));
    }
  }
  // CEL knows the type of the keys only if there is one.
  if (all.empty()) all[""] = ordered_json::array();
  return all;
}

ordered_json to_json(const Toleration& toleration) {
  ordered_json json = {{"key", toleration.key}, {"operator", toleration.op}};
  if (!toleration.value.empty()) json["value"] = toleration.value;
  if (!toleration.effect.empty()) json["effect"] = toleration.effect;
  return json;
}

ordered_json to_json(const std::vector<Toleration>& tolerations) {
  ordered_json json = ordered_json::array();
  for (const Toleration& each : tolerations) json.push_back(to_json(each));
  return json;
}

ordered_json to_json(const std::vector<const Toleration*>& tolerations) {
  ordered_json json = ordered_json::array();
  for (const Toleration* each : tolerations) json.push_back(to_json(*each));
  return json;
}

std::string tolerates(std::string_view list, std::string_view wanted) {
  return fill(
      "$list.exists(e, (e.?key.orValue('') == '' || e.key == $wanted.key) &&\n"
      "      (e.?effect.orValue('') == '' || e.effect == $wanted.?effect.orValue('')) &&\n"
      "      (e.?operator.orValue('') == 'Exists' || e.?operator.orValue('') in ['', 'Equal']"
      " &&\n        $wanted.operator != 'Exists' &&\n"
      "        e.?value.orValue('') == $wanted.?value.orValue('')))",
      {{"$list", std::string(list)}, {"$wanted", std::string(wanted)}});
}

std::string tolerates_by_name(std::string_view tolerations, std::string_view taint) {
  return fill(
      "$list.exists(e, e.?key.orValue('') == $taint.key &&\n"
      "      e.?value.orValue('') == $taint.?value.orValue('') &&\n"
      "      e.?operator.orValue('') in ['', 'Equal'] &&\n"
      "      (e.?effect.orValue('') == '' || e.effect == $taint.?effect.orValue('')))",
      {{"$list", std::string(tolerations)}, {"$taint", std::string(taint)}});
}

}  // namespace winadmit
