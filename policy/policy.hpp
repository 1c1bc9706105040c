// The whole policy: one immutable value that all threads may share.
#pragma once

#include <utility>

#include "policy/judge/advice.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/settings.hpp"
#include "policy/judge/validate.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// Whether fields of the pod make its request malformed. A wrong type in a pod that asks for Linux
/// is left to the API server, but not a duplicate key. In one that is for Linux by default, it may
/// be what asks for Windows.
bool has_errors_to_report(const Pod& pod, const Target& target);

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
  /// be read; for a pod that asks for Linux only if there are duplicate keys.
  FieldErrors validate(const Pod& pod, const Target& target, FindingSink& findings) const;

  /// The patch for a new pod or template: placement, the fields to strip, and, where the settings
  /// ask for it, spec.os with the removal of the fields that the API server would then refuse. They
  /// are also removed beside a spec.os that is set: a later webhook may have added them, after
  /// which the API server calls again. spec.os is not set on a pod with a denial, because our
  /// refusal explains more than the API server's. It is not set either where a field stays that the
  /// API server would then refuse: one that the settings allow, and that is not removable or is
  /// left to the author.
  Patch make_patch(const Pod& pod, const Target& target) const;

  /// The patch for an UPDATE that changes a template: that of make_patch(). Where `old` has the
  /// spec.os that the settings ask for, it also removes what the API server refuses beside it:
  /// kubectl apply sends again what make_patch() removed.
  Patch make_template_update_patch(const Pod& pod, const Target& target, const Pod& old) const;

  /// The patch for an UPDATE of a pod. kubectl apply sends the manifest without what make_patch()
  /// set, and the API server lets hardly any field of a pod change. So the patch makes the pod
  /// equal to the old one again: its placement, its spec.os, and the removal of fields that the old
  /// pod does not have. `old_object` is the object of `old`.
  Patch make_update_patch(const Pod& pod, const Target& target, const Pod& old,
                          const Target& old_target, JsonObject old_object) const;

 private:
  /// For a Windows pod: the removal of fields to strip and, if `may_set_os`, spec.os where
  /// make_patch() permits it. `denials`: how to look for those that forbid to set it.
  Patch make_fields_patch(const Pod& pod, bool may_set_os,
                          ValidateAs denials = ValidateAs::configured) const;
  /// The same for a pod that has spec.os, or had it before this UPDATE. The patch sets spec.os
  /// again if the removal of what the API server refuses beside it is permitted.
  Patch make_fields_patch_beside_os(const Pod& pod) const;
  /// The same for an UPDATE. `old`: the pod before it.
  Patch make_fields_patch_of_update(const Pod& pod, const Pod& old) const;

  Settings settings_;
  Validator validator_;
  Advisor advisor_;
};

}  // namespace winadmit
