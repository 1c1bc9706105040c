// The policy applied to manifests, as the webhooks apply it to objects that are created.
#pragma once

#include <string>
#include <vector>

#include "admission/admit.hpp"
#include "cli/judge/added_scheduling.hpp"
#include "cli/judge/apply_patch.hpp"
#include "cli/judge/local_reviewer.hpp"
#include "cli/judge/manifest_fixer.hpp"
#include "cli/judge/subject.hpp"
#include "cli/judge/template_path.hpp"
#include "cli/judge/verdict.hpp"
#include "config/config.hpp"
#include "manifests/location.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

class ManifestChecker {
 public:
  /// Whether the mutating webhook places pods before they are judged.
  enum class Mutation { assumed, none };

  /// Workload templates are checked like pods, because the pods made from them are refused.
  /// `fix_sets_os`: of the fixer alone, also if `config` does not.
  /// `added`: by the API server, before the webhooks; must outlive this. Null: nothing.
  ManifestChecker(const server::Config& config, Os default_os,
                  Mutation mutation = Mutation::assumed, bool fix_sets_os = false,
                  AddedScheduling* added = nullptr);

  /// What /mutate and then /validate report about an object. An AdmissionReview is judged as its
  /// request. Of a Namespace, what is wrong with the labels that are for winadmit. `templates` are
  /// the kinds of other projects that are judged by their pod templates.
  Verdict judge(const manifests::Manifest& manifest,
                const std::vector<TemplatePath>& templates = {});

  /// Whether the configuration exempts a namespace.
  bool exempts(const std::string& name_space) const { return reviewer_.exempts(name_space); }

  /// Of the same policy.
  ManifestFixer& fixer() { return fixer_; }

 private:
  void judge_subject(Subject subject, manifests::Locator& locator, Verdict& verdict);

  /// /mutate and then /validate. The findings are valid until the next call.
  server::Admission judge_request(Subject& subject);

  /// Adds a finding for each field of a wrong type, and removes it from the subject. False if none
  /// could be removed, or if there are too many.
  bool report_and_clear_malformed_fields(Subject& subject, manifests::Locator& locator,
                                         Verdict& verdict);

  /// Adds a finding for each field that the Kubernetes API does not have at its place.
  void add_unknown_fields(const Subject& subject, manifests::Locator& locator, Verdict& verdict);

  /// Adds what the webhooks do not report.
  void add_check_advice(const Subject& subject, manifests::Locator& locator,
                        const server::Admission& admission, Verdict& verdict);

  /// Where nothing places pods: adds what the pods of a workload template lack. A strategic merge
  /// patch lacks nothing.
  void judge_placement(const Subject& subject, manifests::Locator& locator, Verdict& verdict);

  Mutation mutation_;
  std::size_t malformed_left_ = 0;  // of the fields of an object that may be reported
  LocalReviewer reviewer_;
  ManifestFixer fixer_;
  TextPatcher patcher_;
};

}  // namespace winadmit::cli
