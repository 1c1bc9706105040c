#include "policy/affinity.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/labels.hpp"

namespace winadmit {
namespace {

// The systems that nodes run, as a set.
using Systems = std::uint8_t;
constexpr Systems kNone = 0;
constexpr Systems kLinux = 1;
constexpr Systems kWindows = 2;
constexpr Systems kBoth = kLinux | kWindows;

Systems system_named(std::string_view name) {
  if (name == "linux") return kLinux;
  if (name == "windows") return kWindows;
  return kNone;
}

template <class Visit>
void each_object(const std::optional<JsonArray>& list, Visit visit) {
  if (!list) return;
  for (const Json entry : *list) {
    JsonObject object;
    if (entry.get(object) == simdjson::SUCCESS) visit(object);
  }
}

std::vector<std::string_view> values_of(JsonObject requirement) {
  std::vector<std::string_view> values;
  if (const auto list = member<JsonArray>(requirement, "values")) {
    for (const Json entry : *list) {
      std::string_view value;
      if (entry.get(value) == simdjson::SUCCESS) values.push_back(value);
    }
  }
  return values;
}

/// The systems whose nodes a requirement on the OS label leaves.
Systems left_by_os(std::string_view op, const std::vector<std::string_view>& values) {
  Systems named = kNone;
  for (const std::string_view value : values) named |= system_named(value);
  if (op == "In") return named;
  if (op == "NotIn") return kBoth & static_cast<Systems>(~named);
  if (op == "Gt" || op == "Lt") return kNone;  // they compare integers; no OS is one
  if (op == "DoesNotExist") return kNone;      // every kubelet sets the label
  return kBoth;
}

struct Term {
  Systems systems = kBoth;
  std::vector<std::string_view> builds;
};

Term read_term(JsonObject term) {
  Term read;
  const auto expressions = member<JsonArray>(term, "matchExpressions");
  const auto fields = member<JsonArray>(term, "matchFields");
  if ((!expressions || expressions->size() == 0) && (!fields || fields->size() == 0)) {
    return {.systems = kNone, .builds = {}};
  }
  each_object(expressions, [&](JsonObject requirement) {
    const auto key = text_member(requirement, "key");
    const auto op = text_member(requirement, "operator");
    if (key == kOsLabel || key == kBetaOsLabel) {
      read.systems &= left_by_os(op, values_of(requirement));
    } else if (key == kWindowsBuildLabel && op != "DoesNotExist" && op != "NotIn") {
      read.systems &= kWindows;
      if (op == "In") read.builds = values_of(requirement);
    }
  });
  return read;
}

}  // namespace

NodeAffinity read_node_affinity(JsonObject affinity) {
  NodeAffinity wanted;
  const auto node_affinity = member<JsonObject>(affinity, "nodeAffinity");
  if (!node_affinity) return wanted;
  const auto required =
      member<JsonObject>(*node_affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  if (!required) return wanted;

  Systems systems = kNone;
  bool every_term_names_builds = true;
  each_object(member<JsonArray>(*required, "nodeSelectorTerms"), [&](JsonObject entry) {
    const Term term = read_term(entry);
    if (term.systems == kNone) return;  // it can never match: the other terms decide
    systems |= term.systems;
    every_term_names_builds &= !term.builds.empty();
    wanted.builds.insert(wanted.builds.end(), term.builds.begin(), term.builds.end());
  });
  if (systems == kLinux) wanted.os = Os::linux;
  if (systems == kWindows) wanted.os = Os::windows;
  if (wanted.os != Os::windows || !every_term_names_builds) wanted.builds.clear();
  return wanted;
}

}  // namespace winadmit
