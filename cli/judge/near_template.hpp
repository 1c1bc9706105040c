// Entries of templates in .winadmit.yaml that nearly name an object: else its pods are not judged,
// and nothing says so.
#pragma once

#include <optional>
#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "cli/judge/template_path.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

/// A warning about an object that no entry finds a template in, but one would with the kind or the
/// group of the object, or with a member of a similar name in its path.
std::optional<ManifestFinding> warn_of_near_template(const manifests::Manifest& manifest,
                                                     const ObjectName& name,
                                                     const std::vector<TemplatePath>& templates);

/// A warning about a template that is a pod spec, because the path of its entry is too long;
/// nothing for another.
std::optional<ManifestFinding> warn_of_pod_spec(manifests::Locator& locator, const ObjectName& name,
                                                const FoundTemplate& found);

}  // namespace winadmit::cli
