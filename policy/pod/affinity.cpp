#include "policy/pod/affinity.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/json/hash.hpp"
#include "policy/pod/labels.hpp"
#include "policy/pod/requirement.hpp"

namespace winadmit {
namespace {

/// A set of operating systems.
using OsSet = std::uint8_t;
constexpr OsSet kNone = 0;
constexpr OsSet kLinux = 1;
constexpr OsSet kWindows = 2;
constexpr OsSet kBoth = kLinux | kWindows;

OsSet os_named(std::string_view name) {
  if (name == "linux") return kLinux;
  if (name == "windows") return kWindows;
  return kNone;
}

/// The systems whose nodes match a requirement on the OS label.
OsSet allowed_by_os_label(const Requirement& requirement) {
  OsSet named = kNone;
  requirement.for_each_value([&](std::string_view value) { named |= os_named(value); });
  if (requirement.is("In")) return named;
  if (requirement.is("NotIn")) return kBoth & static_cast<OsSet>(~named);
  if (requirement.is("Gt") || requirement.is("Lt")) return kNone;  // no OS is an integer
  if (requirement.is("DoesNotExist")) return kNone;                // every kubelet sets the label
  return kBoth;
}

/// The systems whose nodes can match a requirement.
OsSet allowed_by(const Requirement& requirement) {
  if (requirement.key == kOsLabel || requirement.key == kBetaOsLabel)
    return allowed_by_os_label(requirement);
  if (requirement.key != kWindowsBuildLabel) return kBoth;
  if (requirement.is("Gt") || requirement.is("Lt")) return kNone;  // 10.0.20348 is no integer
  return requirement.is("DoesNotExist") || requirement.is("NotIn") ? kBoth : kWindows;
}

/// Whether no node of the architecture amd64 meets a requirement.
bool requires_other_arch(const Requirement& requirement) {
  if (requirement.key != kArchLabel && requirement.key != kBetaArchLabel) return false;
  // The kubelet sets the label on every node.
  if (requirement.is("DoesNotExist")) return requirement.key == kArchLabel;
  bool names_amd64 = false;
  requirement.for_each_value([&](std::string_view value) { names_amd64 |= value == "amd64"; });
  return requirement.is("In") ? !names_amd64 : requirement.is("NotIn") && names_amd64;
}

/// Reads terms one after another; reuses its memory.
class TermReader {
 public:
  TermReader(const WindowsLabels& labels, FieldPath& path, FieldErrors& errors)
      : labels_(labels), path_(path), errors_(errors) {}

  struct Term {
    OsSet os_set = kBoth;
    bool excludes_amd64 = false;
    std::vector<std::string_view> builds;
  };

  Term read(JsonObject term) {
    std::optional<JsonArray> expressions;
    std::optional<JsonArray> fields;
    read_members(term, path_, errors_, Member{"matchExpressions", expressions},
                 Member{"matchFields", fields});
    Term read;
    requirements_.clear();
    read_requirements(expressions, "matchExpressions");
    for (const Requirement& each : requirements_) {
      read.os_set &= allowed_by(each);
      read.excludes_amd64 |= requires_other_arch(each);
    }
    read_requirements(fields, "matchFields");
    if (requirements_.empty() || !can_match(read)) read.os_set = kNone;
    return read;
  }

 private:
  void read_requirements(const std::optional<JsonArray>& list, std::string_view name) {
    const ScopedStep step(path_, name);
    const Hasher list_hash = Hasher().add(name);
    for_each_object(list, path_, errors_, [&](JsonObject entry) {
      Requirement& one = requirements_.emplace_back();
      read_members(entry, path_, errors_, Member{"key", one.key}, Member{"operator", one.op},
                   Member{"values", one.values});
      one.key_hash = Hasher(list_hash).add(one.key.value_or("")).value();
    });
  }

  /// Whether a node can meet the requirements on every key. Adds what the values of labels say.
  bool can_match(Term& term) {
    BuildsOfLabel of_labels;
    std::ranges::sort(requirements_, {}, &Requirement::key_hash);
    for (auto begin = requirements_.begin(); begin != requirements_.end();) {
      const auto end = std::find_if(begin, requirements_.end(), [&](const Requirement& each) {
        return each.key_hash != begin->key_hash;
      });
      AllowedValues allowed = find_allowed_values({begin, end});
      if (!allowed.is_satisfiable) return false;
      if (begin->key == kWindowsBuildLabel) {
        term.builds = std::move(allowed.values);
      } else if (const auto label = labels_.find(begin->key.value_or("")); label != labels_.end()) {
        read_label(label->first, label->second, allowed.values, term, of_labels);
      }
      begin = end;
    }
    if (term.builds.empty()) term.builds = std::move(of_labels.builds);
    return true;
  }

  struct BuildsOfLabel {
    std::string_view key;
    std::vector<std::string_view> builds;
  };

  /// A term is for Windows if all values that a label may have mean Windows, and for their builds
  /// if all of them name one. Of several such labels the first by its key counts.
  static void read_label(std::string_view key, const WindowsLabelValues& known,
                         const std::vector<std::string_view>& allowed, Term& term,
                         BuildsOfLabel& first) {
    std::vector<std::string_view> named;
    for (const std::string_view value : allowed) {
      const auto found = known.find(value);
      if (found == known.end()) return;
      if (!found->second.empty()) named.push_back(found->second);
    }
    if (allowed.empty()) return;
    term.os_set &= kWindows;
    if (named.size() != allowed.size() || (!first.builds.empty() && first.key < key)) return;
    first = {.key = key, .builds = std::move(named)};
  }

  const WindowsLabels& labels_;
  FieldPath& path_;
  FieldErrors& errors_;
  std::vector<Requirement> requirements_;  // of the current term
};

}  // namespace

NodeAffinity read_node_affinity(JsonObject affinity, const WindowsLabels& labels, FieldPath& path,
                                FieldErrors& errors) {
  static constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  NodeAffinity result;
  std::optional<JsonObject> node_affinity;
  read_members(affinity, path, errors, Member{"nodeAffinity", node_affinity});
  if (!node_affinity) return result;
  const ScopedStep in_node_affinity(path, "nodeAffinity");
  std::optional<JsonObject> required;
  read_members(*node_affinity, path, errors, Member{kRequired, required});
  if (!required) return result;
  const ScopedStep in_required(path, kRequired);
  std::optional<JsonArray> terms;
  read_members(*required, path, errors, Member{"nodeSelectorTerms", terms});
  const ScopedStep in_terms(path, "nodeSelectorTerms");

  OsSet os_set = kNone;
  bool every_term_names_builds = true;
  bool every_term_excludes_amd64 = true;
  TermReader reader(labels, path, errors);
  for_each_object(terms, path, errors, [&](JsonObject entry) {
    const TermReader::Term term = reader.read(entry);
    if (term.os_set == kNone) return;  // it matches no node
    os_set |= term.os_set;
    if ((term.os_set & kWindows) == kNone) return;
    every_term_names_builds &= !term.builds.empty();
    every_term_excludes_amd64 &= term.excludes_amd64;
    result.builds.insert(result.builds.end(), term.builds.begin(), term.builds.end());
  });
  result.excludes_amd64 = (os_set & kWindows) != kNone && every_term_excludes_amd64;
  if (os_set == kLinux) result.os = Os::linux;
  if (os_set == kWindows) result.os = Os::windows;
  if (!every_term_names_builds) result.builds.clear();
  return result;
}

}  // namespace winadmit
