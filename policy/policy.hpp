// The whole policy: one immutable value that all threads may share.
#pragma once

#include <utility>

#include "policy/judge/advice.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/settings.hpp"
#include "policy/judge/validate.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

class Policy {
 public:
  explicit Policy(Settings settings)
      : settings_(std::move(settings)), validator_(rules(), settings_), advisor_(settings_) {}
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  const Settings& settings() const { return settings_; }
  const Validator& validator() const { return validator_; }
  const Advisor& advisor() const { return advisor_; }

  /// Reports the findings of the rules and the advice for a pod. Returns the fields that could not
  /// be read; for a Linux pod only if there are duplicate keys.
  FieldErrors validate(const Pod& pod, const Target& target, FindingSink& findings) const;

  /// The patch for a new pod or template: placement, the fields to strip, and, where the settings
  /// ask for it, spec.os with the removal of the fields that the API server would then refuse.
  /// spec.os is not set on a pod with a denial, because our refusal explains more than the API
  /// server's. It is not set either on a pod with a field that only the settings allow, unless the
  /// field is removable and not left to the author: the API server could refuse it.
  Patch make_patch(const Pod& pod, const Target& target) const;

  /// The patch for an UPDATE of a pod: what find_missing_placement_of_update() returns, and what
  /// make_patch() would set and remove, where `old` was created so: it has spec.os, and does not
  /// have the fields. `old_object` is the object of `old`. A client that sends its own manifest
  /// again would otherwise be refused: the API server lets hardly any field of a pod change.
  Patch make_update_patch(const Pod& pod, const Target& target, const Pod& old,
                          const Target& old_target, JsonObject old_object) const;

 private:
  /// For a Windows pod: the removal of fields to strip and, if `may_set_os`, spec.os where
  /// make_patch() permits it.
  Patch make_fields_patch(const Pod& pod, bool may_set_os) const;

  Settings settings_;
  Validator validator_;
  Advisor advisor_;
};

}  // namespace winadmit
