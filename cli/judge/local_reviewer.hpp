// What the webhooks read and answer, for a manifest instead of a request.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "admission/admit.hpp"
#include "admission/ignored_findings.hpp"
#include "admission/review_reader.hpp"
#include "cli/judge/added_scheduling.hpp"
#include "cli/judge/subject.hpp"
#include "config/config.hpp"
#include "policy/policy.hpp"

namespace winadmit::cli {

class LocalReviewer {
 public:
  /// For one pod or template. More are an error: neither a baseline nor a comment could name the
  /// others.
  static constexpr std::size_t kMaxFindings = 1'000;

  /// Workload templates are judged like pods, because the pods made from them are refused.
  /// `added`: as of ManifestChecker.
  LocalReviewer(const server::Config& config, Os default_os, AddedScheduling* added = nullptr);

  const Policy& policy() const { return policy_; }
  const Settings& settings() const { return policy_.settings(); }

  /// Whether the configuration exempts a namespace.
  bool exempts(const std::string& name_space) const;

  /// The request that the API server would send. Borrows from the subject, and from this object
  /// until the next call. `bad_request` is set if there is no request that can be judged.
  server::ParsedReview read_review(const Subject& subject);
  /// The same of a text instead of the subject's.
  server::ParsedReview parse_review(const Subject& subject, std::string text);

  /// Nothing if there is no pod that can be read. Borrows as read_review() does.
  std::optional<Pod> read_pod_of(const Subject& subject);
  std::optional<Pod> pod_in(const server::ParsedReview& parsed, const Subject& subject) const;
  Target target_of(const Pod& pod) const;
  /// The subject with what the API server adds, if that sends its pods to Windows. Nothing else in
  /// the input changes how a pod is judged: it could hide one.
  std::optional<Subject> sent_to_windows(const Subject& subject);
  /// Whether a pod for Linux should select its nodes: Linux is the default OS, or Windows nodes may
  /// have no taint.
  bool asks_for_linux_selector() const;
  /// The fields of a pod that the webhooks cannot read.
  FieldErrors errors_of(const Pod& pod) const;

  /// The findings that the configuration exempts in the namespace of the object.
  server::IgnoredIds exempt_ids(const server::Review& review) const;

  /// With all findings, unless they are more than kMaxFindings.
  server::Admission admit(const server::Review& review, server::Hook hook) const;

 private:
  Policy policy_;
  server::Exemptions exempt_;
  std::chrono::sys_days today_;
  Os default_os_;
  AddedScheduling* added_;
  simdjson::dom::parser parser_;
};

}  // namespace winadmit::cli
