// The action strip: removes fields from a pod.
#pragma once

#include <utility>

#include "policy/judge/finding.hpp"
#include "policy/judge/patch.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// Turns findings into the operations that remove their fields, each once.
class StripPatch final : public FindingSink {
 public:
  enum class Fields {
    configured,             // of findings with Action::strip
    configured_and_denied,  // and with Action::deny, where is_removable() permits it
  };
  explicit StripPatch(Fields fields) : fields_(fields) {}

  void add(const FindingView& finding) override;

  /// Whether a field of a finding with Action::deny stays in the pod.
  bool leaves_denials() const { return leaves_denials_; }

  /// Moves the patch out.
  Patch extract() { return std::move(patch_); }

 private:
  Fields fields_;
  Patch patch_;
  bool leaves_denials_ = false;
};

/// The same patch, except that capabilities are removed as a whole if the patch removes all that
/// they add and drop. For a pod with spec.os.name: windows: the API server refuses even empty ones.
Patch remove_emptied_capabilities(Patch patch, const Pod& pod);

}  // namespace winadmit
