// Sinks that pass findings on to another sink, changed or in part.
#pragma once

#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/finding.hpp"

namespace winadmit::server {

/// Passes findings on. A denial that the old object had too becomes a warning.
class OldDenialsAsWarnings final : public FindingSink {
 public:
  OldDenialsAsWarnings(FindingSink& to, const FindingSet& old) : to_(to), old_(old) {}

  void add(const FindingView& finding) override {
    FindingView passed_on = finding;
    if (finding.action == Action::deny && old_.contains(finding)) passed_on.action = Action::warn;
    to_.add(passed_on);
  }

 private:
  FindingSink& to_;
  const FindingSet& old_;
};

/// Passes all findings on as warnings.
class AllAsWarnings final : public FindingSink {
 public:
  explicit AllAsWarnings(FindingSink& to) : to_(to) {}

  void add(const FindingView& finding) override {
    FindingView passed_on = finding;
    passed_on.action = Action::warn;
    to_.add(passed_on);
  }

 private:
  FindingSink& to_;
};

/// Passes findings on but advice-unplaced: in mode audit no pod is placed. In the other modes
/// nearly every one is.
class WithoutUnplacedAdvice final : public FindingSink {
 public:
  explicit WithoutUnplacedAdvice(FindingSink& to) : to_(to) {}

  void add(const FindingView& finding) override {
    if (finding.id != kAdviceUnplaced) to_.add(finding);
  }

 private:
  FindingSink& to_;
};

}  // namespace winadmit::server
