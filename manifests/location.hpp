// Where in a file a field or a fault is.
#pragma once

#include <optional>
#include <string>

#include "manifests/document.hpp"
#include "manifests/list_entries.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::manifests {

/// In bytes. A longer line is not repeated in a Location.
inline constexpr std::size_t kMaxLineLength = 4096;

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

/// Where a document has the offset. The end is not known.
Location location_at(const std::string& file, const Document& document, std::size_t offset);

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

}  // namespace winadmit::manifests
