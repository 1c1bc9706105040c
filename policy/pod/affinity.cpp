#include "policy/pod/affinity.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/json/hash.hpp"
#include "policy/pod/labels.hpp"
#include "policy/pod/requirement.hpp"

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

/// The systems whose nodes a requirement on the OS label leaves.
Systems left_by_os(const Requirement& requirement) {
  Systems named = kNone;
  requirement.each_value([&](std::string_view value) { named |= system_named(value); });
  if (requirement.is("In")) return named;
  if (requirement.is("NotIn")) return kBoth & static_cast<Systems>(~named);
  if (requirement.is("Gt") || requirement.is("Lt")) return kNone;  // no OS is an integer
  if (requirement.is("DoesNotExist")) return kNone;                // every kubelet sets the label
  return kBoth;
}

/// The systems that a requirement on one label leaves.
Systems left_by(const Requirement& requirement) {
  if (requirement.key == kOsLabel || requirement.key == kBetaOsLabel)
    return left_by_os(requirement);
  const bool any_build = requirement.is("DoesNotExist") || requirement.is("NotIn");
  return requirement.key == kWindowsBuildLabel && !any_build ? kWindows : kBoth;
}

/// Reads terms one after another.
class TermReader {
 public:
  TermReader(FieldPath& path, FieldErrors& errors) : path_(path), errors_(errors) {}

  struct Term {
    Systems systems = kBoth;
    std::vector<std::string_view> builds;
  };

  Term read(JsonObject term) {
    std::optional<JsonArray> expressions;
    std::optional<JsonArray> fields;
    read_members(term, path_, errors_, Member{"matchExpressions", expressions},
                 Member{"matchFields", fields});
    Term read;
    requirements_.clear();
    take(expressions, "matchExpressions");
    for (const Requirement& each : requirements_) read.systems &= left_by(each);
    take(fields, "matchFields");
    if (requirements_.empty() || !can_match(read.builds)) read.systems = kNone;
    return read;
  }

 private:
  void take(const std::optional<JsonArray>& list, std::string_view name) {
    const ScopedStep step(path_, name);
    const Hasher kind = Hasher().add(name);
    read_objects(list, path_, errors_, [&](JsonObject entry) {
      Requirement& one = requirements_.emplace_back();
      read_members(entry, path_, errors_, Member{"key", one.key}, Member{"operator", one.op},
                   Member{"values", one.values});
      one.key_hash = Hasher(kind).add(one.key.value_or("")).value();
    });
  }

  /// Whether the requirements on each key can hold together.
  bool can_match(std::vector<std::string_view>& builds) {
    std::ranges::sort(requirements_, {}, &Requirement::key_hash);
    for (auto begin = requirements_.begin(); begin != requirements_.end();) {
      const auto end = std::find_if(begin, requirements_.end(), [&](const Requirement& each) {
        return each.key_hash != begin->key_hash;
      });
      Left left = what_is_left({begin, end});
      if (!left.anything) return false;
      if (begin->key == kWindowsBuildLabel) builds = std::move(left.values);
      begin = end;
    }
    return true;
  }

  FieldPath& path_;
  FieldErrors& errors_;
  std::vector<Requirement> requirements_;  // of the term that is read
};

}  // namespace

NodeAffinity read_node_affinity(JsonObject affinity, FieldPath& path, FieldErrors& errors) {
  static constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  NodeAffinity wanted;
  std::optional<JsonObject> node_affinity;
  read_members(affinity, path, errors, Member{"nodeAffinity", node_affinity});
  if (!node_affinity) return wanted;
  const ScopedStep in_node_affinity(path, "nodeAffinity");
  std::optional<JsonObject> required;
  read_members(*node_affinity, path, errors, Member{kRequired, required});
  if (!required) return wanted;
  const ScopedStep in_required(path, kRequired);
  std::optional<JsonArray> terms;
  read_members(*required, path, errors, Member{"nodeSelectorTerms", terms});
  const ScopedStep in_terms(path, "nodeSelectorTerms");

  Systems systems = kNone;
  bool every_term_names_builds = true;
  TermReader reader(path, errors);
  read_objects(terms, path, errors, [&](JsonObject entry) {
    const TermReader::Term term = reader.read(entry);
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
