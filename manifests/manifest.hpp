// Manifests as kubectl reads them: YAML documents, JSON and lists of objects, from files, folders
// and standard input.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// One object.
struct Manifest {
  std::string file;  // as it was named, or "<stdin>"
  nlohmann::json object;
  std::optional<YAML::Node> node;  // for the locations of its fields; none for JSON
};

/// The string at `key`, or "" if there is none.
std::string string_member(const nlohmann::json& object, const char* key);

struct Location {
  std::string file;
  int line = 0;        // from 1; 0 if it is not known
  int column = 0;      // the same, in bytes
  int end_column = 0;  // behind the last byte of the key or the value in this line; 0 if not known
  std::string text = {};  // the line, without its end; empty if it is not known
};

/// "FILE:LINE:COLUMN" or "FILE".
std::string to_string(const Location& location);

/// Where a field is, given as a JSON Pointer. If the field is missing, where its parent is.
Location location_of(const Manifest& manifest, const std::string& pointer = {});

/// The .yaml, .yml and .json files of a folder, sorted by name; with `recursive`, also of the
/// folders in it. Throws std::runtime_error, also if there are none.
std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive);

/// Takes what a file holds, in the order of the file.
struct ManifestHandler {
  std::function<void(const Manifest&)> object;    // valid during the call
  std::function<void(const std::string&)> error;  // a line that starts with the location
};

/// Passes on all objects of a file; "-" is standard input. The items of a list are objects of their
/// own. A file that cannot be read is an error for `to`, too.
void read_manifests(const std::string& file, const ManifestHandler& to);

}  // namespace winadmit::manifests
