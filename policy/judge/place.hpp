// What a pod lacks to be scheduled to its operating system, as the smallest JSON Patch.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit {

/// One operation of RFC 6902.
struct PatchOperation {
  std::string_view op;  // "add" or "remove"
  std::string path;
  std::string value;  // JSON; of "add"
};
using Patch = std::vector<PatchOperation>;

/// What may be added.
enum class PlaceWhat {
  everything,
  tolerations,  // to a pod whose node was picked (DaemonSet) or whose spec is fixed (UPDATE)
};

/// What a pod lacks to be scheduled to target.os. The tolerations are the settings' own.
struct Missing {
  bool selector = false;
  std::vector<const Toleration*> tolerations;
  explicit operator bool() const { return selector || !tolerations.empty(); }
};

/// Nothing for a pod that is placed already; nothing for a target that is neither Windows nor (by
/// the path's default) Linux.
Missing find_missing(const Pod& pod, const Target& target, const Settings& settings,
                     PlaceWhat what);

/// The operations that place a pod on nodes of target.os: adds what is missing, and nothing else,
/// so a second pass patches nothing.
Patch place(const Pod& pod, const Target& target, const Settings& settings, PlaceWhat what);

/// Collects the operations that remove the fields of findings, each once.
class Strip final : public FindingSink {
 public:
  enum class Which { configured, all };  // findings with Action::strip, or every one
  explicit Strip(Which which) : which_(which) {}

  void add(const Hit& hit) override;
  Patch take() { return std::move(patch_); }

 private:
  Which which_;
  Patch patch_;
};

}  // namespace winadmit
