// What `winadmit fix` would do about a finding, for reports that can say so.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "manifests/document.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// A larger document has no suggestions: each one reads the whole document again.
inline constexpr std::size_t kMaxDocumentWithFixes = std::size_t{64} << 10U;

/// Of one document, for the same reason.
inline constexpr std::size_t kMaxFixes = 100;

bool may_have_fixes(const manifests::Manifest& manifest);

/// Sets `fix` of the findings that the patch of ManifestFixer::fix() fixes, of an object that may
/// have fixes. A finding keeps an empty fix where the text cannot be edited in place. `fixes_left`
/// is how many more may be set, before the call and after it.
void suggest_fixes(const manifests::Manifest& manifest, const Patch& patch,
                   const manifests::Limits& limits, std::size_t& fixes_left,
                   std::vector<ManifestFinding>& findings);

}  // namespace winadmit::cli
