// What the annotation winadmit.dev/ignore asks the server to ignore, if the configuration allows
// it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit::server {

/// The ids of rules and advice that the annotation of a pod or of a pod template names. Not that of
/// a workload: its pods do not have it, and would be refused.
class IgnoredIds {
 public:
  explicit IgnoredIds(const Pod& pod);

  bool contains(std::string_view id) const { return ids_.contains(id); }

 private:
  std::set<std::string, std::less<>> ids_;
};

/// Passes findings on, but not those with ignored ids.
class IgnoringSink final : public FindingSink {
 public:
  IgnoringSink(FindingSink& to, const IgnoredIds& ignored) : to_(to), ignored_(ignored) {}

  void add(const FindingView& finding) override;

  /// The ids of the findings that were not passed on, in order and separated by commas.
  std::string ignored() const;

 private:
  FindingSink& to_;
  const IgnoredIds& ignored_;
  std::set<std::string_view> found_;
};

}  // namespace winadmit::server
