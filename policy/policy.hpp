// The policy as a whole: one immutable value that every thread may use.
#pragma once

#include "policy/judge/advice.hpp"
#include "policy/judge/place.hpp"
#include "policy/judge/settings.hpp"
#include "policy/judge/validate.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

class Policy {
 public:
  explicit Policy(Settings settings)
      : settings_(std::move(settings)), validator_(rules(), settings_) {}
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  const Settings& settings() const { return settings_; }
  const Validator& validator() const { return validator_; }

  /// Tells `findings` all that the rules and the advice say of a pod; returns what of it could not
  /// be read.
  Problems judge(const Pod& pod, const Target& target, FindingSink& findings) const;

  /// The patch for a new pod or template: placement, the fields that configuration strips, and
  /// where configuration says so spec.os, with what the API server would then refuse removed.
  /// spec.os is not set on a pod that uses a forbidden field: the refusal names its reasons better
  /// than the API server would.
  Patch patch_new(const Pod& pod, const Target& target, PlaceWhat what) const;

 private:
  Settings settings_;
  Validator validator_;
};

/// Whether winadmit's mutating side places what holds this pod.
inline bool is_placed_by_us(const Pod& pod, const Settings& settings) {
  return pod.kind->is_pod() || (pod.kind->is_daemon_set() && settings.place_daemon_sets);
}

}  // namespace winadmit
