// Patches of objects as edits of the text that the objects are in.
#pragma once

#include <vector>

#include "manifests/manifest.hpp"
#include "manifests/text_edit.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// Both must outlive the call.
struct PatchedObject {
  const manifests::Manifest& manifest;
  const Patch& patch;
};

/// The edits of a document that apply all patches, in order. Throws manifests::EditError.
std::vector<manifests::TextEdit> edit_objects(const manifests::Document& document,
                                              const std::vector<PatchedObject>& objects,
                                              const manifests::Limits& limits);

}  // namespace winadmit::cli
