// Finds what the kinds of advice are about. resize.hpp has one more kind, and cli/judge those that
// `winadmit check` alone gives.
#pragma once

#include <optional>

#include "policy/judge/finding.hpp"
#include "policy/judge/platform_builds.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// Whether a RuntimeClass (by its scheduling) or the name of a node may send a pod without an OS
/// signal to Windows nodes.
bool may_be_sent_to_windows(const Pod& pod);

/// The image of the first container for which `is_wanted` holds.
std::optional<FieldPath> find_image(const Pod& pod, bool (*is_wanted)(const Image&));

class Advisor {
 public:
  /// `settings` must outlive the advisor.
  explicit Advisor(const Settings& settings) : settings_(settings), platform_(settings) {}

  /// Reports all advice for a pod with this target. `placed_by_us`: the mutating webhook places the
  /// pod or template.
  void advise(const Pod& pod, const Target& target, bool placed_by_us, FindingSink& findings) const;

 private:
  const Settings& settings_;
  PlatformBuilds platform_;
};

}  // namespace winadmit
