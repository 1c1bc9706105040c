#include "config/config_tolerations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "config/label_syntax.hpp"
#include "policy/pod/labels.hpp"
#include "text/text.hpp"

namespace winadmit::server {
namespace {

template <std::string Toleration::* kMember>
void read_string(ConfigReader& reader, Toleration& to, const ConfigNode& value,
                 const std::string& key) {
  // Without a text the default stays, which makes no second error.
  if (std::optional<std::string> text = reader.string(value, key)) to.*kMember = *std::move(text);
}

constexpr auto kTolerationKeys = std::to_array<Key<Toleration>>({
    {{"tolerations[].key", "string", "", "The key of the taint. Required."},
     read_string<&Toleration::key>},
    {{"tolerations[].operator", "Equal or Exists", "Equal",
      "Whether the value of the taint must be equal, or any value is tolerated."},
     read_string<&Toleration::op>},
    {{"tolerations[].value", "string, may be empty", "",
      "The value of the taint. Not allowed with Exists."},
     read_string<&Toleration::value>},
    {{"tolerations[].effect", "NoSchedule, PreferNoSchedule or NoExecute", "",
      "The effect of the taint. Without it, all effects are tolerated."},
     read_string<&Toleration::effect>},
});

constexpr std::array<std::string_view, 4> kEffects = {"", "NoSchedule", kPreferNoSchedule,
                                                      kNoExecute};

Toleration read_toleration(ConfigReader& reader, const ConfigNode& node) {
  Toleration toleration;
  read_mapping<Toleration>(reader, toleration, node, "a toleration", kTolerationKeys);
  if (!node.is_mapping() && !node.is_null()) return toleration;
  const std::optional<ConfigNode> key = node.member("key");
  if (toleration.key.empty()) {
    if (!key || key->is_text()) reader.fail(node, "a toleration needs a key");
  } else if (!is_label_key(toleration.key)) {
    reader.fail(node, "'" + toleration.key + "' cannot be the key of a taint");
  }
  if (!toleration.value.empty() && !is_label_value(toleration.value)) {
    reader.fail(node, "'" + toleration.value + "' cannot be the value of a taint");
  }
  if (toleration.op != "Equal" && toleration.op != "Exists") {
    reader.fail(node, "the operator of a toleration must be Equal or Exists");
  }
  if (toleration.op == "Exists" && !toleration.value.empty()) {
    reader.fail(node, "a toleration with operator Exists must not have a value");
  }
  if (std::ranges::find(kEffects, toleration.effect) == kEffects.end()) {
    reader.fail(node,
                "the effect of a toleration must be NoSchedule, PreferNoSchedule or NoExecute");
  }
  return toleration;
}

}  // namespace

std::span<const Key<Toleration>> toleration_keys() { return kTolerationKeys; }

std::vector<Toleration> read_tolerations(ConfigReader& reader, const ConfigNode& node,
                                         const std::string& what) {
  std::vector<Toleration> tolerations;
  reader.required_list(node, what, [&](const ConfigNode& entry) {
    tolerations.push_back(read_toleration(reader, entry));
  });
  return tolerations;
}

void check_build(ConfigReader& reader, const ConfigNode& node, const std::string& build) {
  constexpr std::string_view kPrefix = "10.0.";
  if (build.starts_with(kPrefix) && build.size() > kPrefix.size() && is_label_value(build) &&
      std::ranges::all_of(build.substr(kPrefix.size()), is_digit)) {
    return;
  }
  reader.fail(node, "'" + build + "' is not a value of the label " +
                        std::string(kWindowsBuildLabel) + ", for example 10.0.20348");
}

TolerationsByBuild read_tolerations_by_build(ConfigReader& reader, const ConfigNode& node,
                                             const std::string& what) {
  TolerationsByBuild all;
  reader.mapping(node, what, [&](const std::string& build, const ConfigNode& value) {
    check_build(reader, value, build);
    all[build] = read_tolerations(reader, value, build);
    return true;
  });
  return all;
}

}  // namespace winadmit::server
