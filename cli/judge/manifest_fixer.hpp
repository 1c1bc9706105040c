// The changes that `winadmit fix` makes in a manifest.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/judge/local_reviewer.hpp"
#include "cli/judge/subject.hpp"
#include "cli/judge/template_path.hpp"
#include "manifests/manifest.hpp"
#include "policy/policy.hpp"

namespace winadmit::cli {

/// What `winadmit fix` does with an object.
struct ObjectFix {
  Patch patch = {};                 // empty if there is nothing to do
  std::string why_unchanged = {};   // of an object that is left although it should be changed
  std::string why_no_spec_os = {};  // of a pod whose spec.os.name should be set and cannot be
  std::string platform_hint = {};   // if the pod may be for Windows nodes of another platform
};

/// Whether an operation of a fix adds a toleration.
bool adds_toleration(const PatchOperation& operation);

class ManifestFixer {
 public:
  /// `reviewer` must outlive the fixer. `sets_os`: also if their settings do not.
  ManifestFixer(LocalReviewer& reviewer, bool sets_os);

  /// The operations that add placement and remove removable fields, those that Pod Security may ask
  /// for only where spec.os.name is windows or is set by the same patch. A strategic merge patch is
  /// left. The patch removes each field for itself: an operation may be left out.
  ObjectFix fix(const manifests::Manifest& manifest);

  /// Whether fix() would change the templates in an object of another project, if it knew the kind.
  bool would_fix_templates(const manifests::Manifest& manifest,
                           const std::vector<TemplatePath>& templates);

 private:
  ObjectFix fix(const Subject& subject);
  ObjectFix make_fix(const Pod& pod, const Target& target, const server::IgnoredIds& exempt) const;

  /// The rules as the webhooks have them, except that they strip removable fields.
  struct Stripping {
    explicit Stripping(Settings stripping)
        : settings(std::move(stripping)), validator(rules(), settings) {}
    Stripping(const Stripping&) = delete;
    Stripping& operator=(const Stripping&) = delete;
    Settings settings;
    Validator validator;
  };

  LocalReviewer& reviewer_;
  Settings settings_;
  Stripping with_spec_os_;
  Stripping without_spec_os_;
};

}  // namespace winadmit::cli
