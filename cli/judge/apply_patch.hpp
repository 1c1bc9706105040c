// A patch of the policy applied to the object of a manifest.
#pragma once

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// The patch must be one for this object.
void apply_patch(const Patch& patch, nlohmann::json& object);

/// Applies patches to a text that json::dump() or simdjson::minify() wrote. Reuses its memory.
class TextPatcher {
 public:
  /// `object`: the JSON Pointer of the object in the text. Returns false, and leaves a text that is
  /// of no use, for a patch that does more than add entries, and members that are not there, below
  /// the top of the object.
  bool apply(const Patch& patch, std::string_view object, std::string& text);

 private:
  bool apply(const PatchOperation& operation, std::string_view object, std::string& text);

  simdjson::ondemand::parser parser_;
};

}  // namespace winadmit::cli
