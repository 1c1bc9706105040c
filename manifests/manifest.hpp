// Manifests as kubectl reads them: YAML documents, JSON and lists of objects, from files and
// standard input.
#pragma once

#include <simdjson.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "manifests/document.hpp"
#include "manifests/input.hpp"
#include "manifests/list_entries.hpp"

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

/// In bytes. A longer line is not repeated in a Location.
inline constexpr std::size_t kLongestLine = 4096;

struct Location {
  std::string file;
  int line = 0;        // from 1; 0 if it is not known
  int column = 0;      // the same, in bytes
  int end_column = 0;  // after the last byte of the key or the value in this line; 0 if not known
  std::string text = {};  // the line, without its end; empty if it is not known or very long
};

/// "FILE:LINE:COLUMN" or "FILE".
std::string to_string(const Location& location);

/// What of a file cannot be read.
struct FileError {
  std::string what;        // names the file, if the location has no line
  Location location = {};  // without a file if the error is of none
};

/// "FILE:LINE:COLUMN: WHAT"; WHAT alone if the location has no line.
std::string to_string(const FileError& error);

/// Where a field is, given as a JSON Pointer. If the field is missing, where its parent is.
Location location_of(const Manifest& manifest, const std::string& pointer = {});

/// location_of() for many fields: each takes the same time, however many entries a list has.
class Locator {
 public:
  /// `manifest` must outlive this.
  explicit Locator(const Manifest& manifest);

  Location at(const std::string& pointer);

 private:
  const Manifest& manifest_;
  std::optional<ListEntries> entries_;
};

/// Takes what a file holds, in the order of the file.
struct ManifestHandler {
  std::function<void(const Manifest&)> object;  // valid during the call
  std::function<void(const FileError&)> error;
  /// Before the objects of a document, also if it has none.
  std::function<void(const Document&)> document = {};
  /// A document that is no Kubernetes object, such as values.yaml of a chart, or that cannot be
  /// read and has not even the names of the fields apiVersion and kind. Not one that was meant as
  /// an object: an item of a list, or a document in which one of them is misspelled or no text.
  /// Unset: an error.
  std::function<void(const Location&)> other = {};
  /// A list without items, as kubectl get prints for an empty namespace.
  std::function<void()> empty_list = [] {};
};

/// Passes on all objects of a file, one document at a time. The items of a list are objects of
/// their own. A file that cannot be read is an error for `to`, too.
void read_manifests(const Source& source, const ManifestHandler& to, const Limits& limits = {});

/// The name of a file in locations: "pod.yaml" for ./pod.yaml, as CI compares names with those of
/// git.
std::string display_name(const std::string& file);

/// Passes on an error in a document, or the document as one that is no Kubernetes object.
void pass_error(const std::string& file, const Document& document, const ParseError& error,
                const ManifestHandler& to);

/// Passes on the objects of one document.
void read_objects(const std::string& file, const std::shared_ptr<const Document>& document,
                  const ManifestHandler& to, const Limits& limits);

}  // namespace winadmit::manifests
