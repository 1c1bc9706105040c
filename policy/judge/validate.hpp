// Walks a Windows pod by the rule table and reports the findings. The caller decides what follows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policy/judge/field_tree.hpp"
#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// The start of a message, as the API server words its own refusals: "cannot be set for a windows
/// pod". Empty for a rule about some values of a field only, where the reason says enough.
std::string_view lead_of(const Rule& rule, Action action);

/// Whether the API server validates the pod as one for Windows: spec.os.name is windows, and the
/// release has spec.os.
bool has_windows_spec_os(const Pod& pod, Version kubernetes);

/// How a pod is judged.
enum class ValidateAs {
  configured,               // as it is, with the actions of the configuration
  api_server_with_spec_os,  // as if spec.os.name were windows; only strip is configured
  // As configured if spec.os.name were windows, without what the API server refuses only then.
  policy_with_spec_os,
};

class Validator {
 public:
  /// Compiles the rules that hold in settings.kubernetes. `rules` and `settings` must outlive the
  /// validator; findings borrow from it.
  Validator(std::span<const Rule> rules, const Settings& settings);

  /// Reports every finding in a pod that is taken to be for Windows, and adds to `errors` the
  /// wrong types and duplicate keys among the fields that rules read. Takes any input; linear in
  /// the size of the pod.
  void validate(const Pod& pod, FindingSink& findings, FieldErrors& errors,
                ValidateAs as = ValidateAs::configured) const;

 private:
  const Settings& settings_;
  FieldTree fields_;
  std::vector<const Rule*> annotation_rules_;
};

}  // namespace winadmit
