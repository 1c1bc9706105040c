// The action strip: removes fields from a pod.
#pragma once

#include <utility>

#include "policy/judge/finding.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit {

/// Turns findings into the operations that remove their fields, each once.
class StripPatch final : public FindingSink {
 public:
  enum class Fields {
    configured,             // of findings with Action::strip
    configured_and_denied,  // and with Action::deny, where is_removable() permits it
  };
  /// `has_spec_os`: spec.os.name is windows, or is set by the same patch.
  StripPatch(Fields fields, bool has_spec_os) : fields_(fields), has_spec_os_(has_spec_os) {}

  void add(const FindingView& finding) override;

  /// Whether a field of a finding with Action::deny stays in the pod.
  bool leaves_denials() const { return leaves_denials_; }

  /// Moves the patch out.
  Patch extract() { return std::move(patch_); }

 private:
  Fields fields_;
  bool has_spec_os_;
  Patch patch_;
  bool leaves_denials_ = false;
};

}  // namespace winadmit
