// A Kubernetes object of a file, and its place there.
#pragma once

#include <simdjson.h>

#include <memory>
#include <string>
#include <string_view>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// A JSON text without white space, and what it says.
struct ParsedJson {
  explicit ParsedJson(std::string json);

  std::string text;
  simdjson::dom::document document;
};

/// One object.
struct Manifest {
  std::string file;                               // its display_name()
  simdjson::dom::element object;                  // borrowed from `json`
  std::shared_ptr<const ParsedJson> json = {};    // that the object is in
  std::shared_ptr<const Document> document = {};  // that the object is in
  NodeId node = kNoNode;                          // its place there
  NodeId root = kNoNode;     // what it is in, a list for example; else the object itself
  std::string pointer = {};  // JSON Pointer from the root to the object
};

/// The text of the object as JSON, without white space.
std::string json_text(const Manifest& manifest);

/// The string at `key`, or "" if there is none.
std::string_view string_member(simdjson::dom::element object, std::string_view key);

}  // namespace winadmit::manifests
