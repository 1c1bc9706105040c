// Walks a Windows pod by the rule table. Says what is forbidden; what follows from it is decided by
// the caller.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/judge/field_tree.hpp"
#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// What each rule says, put together once.
class RuleTexts {
 public:
  explicit RuleTexts(std::span<const Rule> rules);

  /// Of a rule of that table; borrowed.
  std::string_view of(const Rule& rule, Action action) const;

 private:
  struct Texts {
    std::string denial;
    std::string advice;
  };
  const Rule* first_;
  std::vector<Texts> texts_;
};

class Validator {
 public:
  /// Compiles the rows that hold in settings.kubernetes. Both must outlive the validator, and
  /// it what it finds.
  Validator(std::span<const Rule> rules, const Settings& settings);

  /// Judges a pod that is taken to be for Windows: tells `findings` of every finding, and notes
  /// wrong types and duplicate keys in what rules read. Total; linear in the size of the pod.
  /// `as_if_os_set`: as the API server would judge it were its spec.os.name windows.
  void validate(const Pod& pod, FindingSink& findings, Problems& problems,
                bool as_if_os_set = false) const;

 private:
  const Settings& settings_;
  FieldTree fields_;
  RuleTexts texts_;
  std::vector<const Rule*> annotation_rules_;
};

/// Whether an annotation's key is one that a rule of scope annotation is for: its field may have
/// one
/// `*`, for any text.
bool key_matches(std::string_view pattern, std::string_view key);

}  // namespace winadmit
