// Changes fields of a document in its text, and leaves the rest byte for byte.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "manifests/document.hpp"
#include "manifests/text_edit.hpp"

namespace winadmit::manifests {

/// One operation of a JSON Patch: a member that is removed, or a member or an entry at the end of a
/// list ("/-") that is added.
struct FieldChange {
  NodeId root = kNoNode;                             // of the document
  std::string pointer;                               // from there
  std::optional<nlohmann::ordered_json> value = {};  // none: removed
};

/// Thrown if the text cannot be edited so that only the changed fields change: an alias or a merge
/// key shares them with another place, for example. `offset` is where.
class EditError : public ParseError {
 public:
  using ParseError::ParseError;
};

/// Throws EditError about a place whose form cannot be edited. `why` may be empty.
[[noreturn]] void refuse_edit(std::size_t offset, const std::string& why = {});

/// The edits, in order. `wanted` has the value of each root afterwards: the edited text is read
/// again and compared with it.
std::vector<TextEdit> edit(const Document& document, const std::vector<FieldChange>& changes,
                           const std::vector<nlohmann::json>& wanted, const Limits& limits = {});

}  // namespace winadmit::manifests
