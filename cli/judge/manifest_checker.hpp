// The policy applied to manifests, as the webhooks apply it to objects that are created.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/judge/apply_patch.hpp"
#include "cli/judge/manifest_finding.hpp"
#include "cli/judge/subject.hpp"
#include "cli/judge/template_path.hpp"
#include "manifests/manifest.hpp"
#include "policy/policy.hpp"
#include "server/config/config.hpp"
#include "server/review/admit.hpp"
#include "server/review/review_reader.hpp"

namespace winadmit::cli {

/// What came of one object.
struct Verdict {
  ObjectName object;                      // of an AdmissionReview, the object in it
  bool is_judged = false;                 // false for a kind that neither is nor holds a pod
  bool asks_for_windows = false;          // whether a pod that was judged does
  std::vector<ManifestFinding> findings;  // ordered by location
};

/// What `winadmit fix` does with an object.
struct ObjectFix {
  Patch patch = {};                 // empty if there is nothing to do
  std::string why_unchanged = {};   // of an object that is left although it should be changed
  std::string why_no_spec_os = {};  // of a pod whose spec.os.name should be set and cannot be
};

class ManifestChecker {
 public:
  /// Whether the mutating webhook places pods before they are judged.
  enum class Mutation { assumed, none };

  /// Workload templates are checked like pods, because the pods made from them are refused.
  ManifestChecker(const server::Config& config, Os default_os,
                  Mutation mutation = Mutation::assumed);

  /// What /mutate and then /validate report about an object. An AdmissionReview is judged as its
  /// request. Of a Namespace, what is wrong with the labels that are for winadmit. `templates` are
  /// the kinds of other projects that are judged by their pod templates.
  Verdict judge(const manifests::Manifest& manifest,
                const std::vector<TemplatePath>& templates = {});

  /// The operations that add placement and remove removable fields, those that Pod Security may ask
  /// for only where spec.os.name is windows or is set by the same patch. A strategic merge patch is
  /// left.
  ObjectFix fix(const manifests::Manifest& manifest);

  /// Whether fix() would change the templates in an object of another project, if it knew the kind.
  bool would_fix_templates(const manifests::Manifest& manifest,
                           const std::vector<TemplatePath>& templates);

 private:
  /// Borrows from the subject, and from parser_ until the next call. `bad_request` is set if there
  /// is no request that can be judged.
  server::ParsedReview read_review(const Subject& subject);
  /// The same of a text instead of the subject's.
  server::ParsedReview parse_review(const Subject& subject, std::string text);

  /// Nothing if there is no pod that can be read. Borrows as read_review() does.
  std::optional<Pod> read_pod_of(const Subject& subject);
  std::optional<Pod> pod_in(const server::ParsedReview& parsed, const Subject& subject) const;
  Target target_of(const Pod& pod) const;

  server::Admission admit(const server::Review& review, server::Hook hook) const;

  ObjectFix fix(const Subject& subject);
  ObjectFix make_fix(const Pod& pod, const Target& target) const;

  void judge_subject(Subject subject, const manifests::Manifest& manifest, Verdict& verdict);

  /// /mutate and then /validate. The findings are valid until the next call.
  server::Admission judge_request(Subject& subject);

  /// Adds a finding for each field of a wrong type, and removes it from the subject. False if none
  /// could be removed.
  bool take_malformed_fields(Subject& subject, const manifests::Manifest& manifest,
                             Verdict& verdict);

  /// Adds what the webhooks do not report.
  void add_check_advice(const Subject& subject, const manifests::Manifest& manifest,
                        const server::Admission& admission, Verdict& verdict);

  /// Where nothing places pods: what the pods of a workload template lack. Of a strategic merge
  /// patch, nothing.
  void judge_placement(const Subject& subject, const manifests::Manifest& manifest,
                       Verdict& verdict);

  server::Config config_;
  Os default_os_;
  Mutation mutation_;
  Policy policy_;
  Policy policy_beside_spec_os_;  // both also remove removable fields
  Policy policy_without_spec_os_;
  TextPatcher patcher_;
  simdjson::dom::parser parser_;
};

}  // namespace winadmit::cli
