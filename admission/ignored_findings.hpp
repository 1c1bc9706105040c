// Findings that do not count: those that the configuration exempts, and those that the annotation
// winadmit.dev/ignore names, if the configuration allows it.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "admission/exemptions.hpp"
#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit::server {

/// The ids of rules and of advice whose findings do not count in one object.
class IgnoredIds {
 public:
  /// Those that the annotation of a pod or of a pod template names. Not that of a workload: its
  /// pods do not have it, and would be refused.
  void add_annotation(const Pod& pod);

  /// Those that are exempt in a namespace. `today` is in UTC.
  void add_exempt(const Exemptions& exempt, std::string_view name_space,
                  std::chrono::sys_days today);

  bool empty() const { return !has_all_ && ids_.empty(); }
  bool contains(std::string_view id) const { return has_all_ || ids_.contains(id); }

 private:
  bool has_all_ = false;
  std::set<std::string, std::less<>> ids_;
};

/// Passes findings on, but not those with ignored ids.
class IgnoringSink final : public FindingSink {
 public:
  IgnoringSink(FindingSink& to, const IgnoredIds& ignored) : to_(to), ignored_(ignored) {}

  void add(const FindingView& finding) override;

  /// The ids of the findings that were not passed on, in order and separated by commas.
  std::string ignored() const;
  std::size_t count() const { return count_; }

 private:
  FindingSink& to_;
  const IgnoredIds& ignored_;
  std::size_t count_ = 0;  // of the findings that were not passed on
  std::set<std::string_view> found_;
};

}  // namespace winadmit::server
