// Patches of objects as edits of the text that the objects are in.
#pragma once

#include <vector>

#include "cli/suppress/comment_edits.hpp"
#include "manifests/manifest.hpp"
#include "manifests/text_edit.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// Both must outlive the call.
struct PatchedObject {
  const manifests::Manifest& manifest;
  const Patch& patch;
};

struct ObjectEdits {
  std::vector<manifests::TextEdit> edits;        // in order
  std::vector<RemovedComment> removed_comments;  // by these edits
};

/// The edits of a document that apply all patches. Comments that ignore findings go with their
/// fields. Throws manifests::EditError.
ObjectEdits edit_objects(const manifests::Document& document,
                         const std::vector<PatchedObject>& objects,
                         const manifests::Limits& limits);

}  // namespace winadmit::cli
