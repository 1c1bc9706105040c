// Manifests as kubectl reads them: YAML documents, JSON and lists of objects, from files, folders
// and standard input.
#pragma once

#include <yaml-cpp/yaml.h>

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
  int line = 0;    // from 1; 0 if it is not known, as in JSON
  int column = 0;  // the same
};

/// "FILE:LINE:COLUMN" or "FILE".
std::string to_string(const Location& location);

/// Where a field is, given as a JSON Pointer. If the field is missing, where its parent is.
Location location_of(const Manifest& manifest, const std::string& pointer = {});

/// The .yaml, .yml and .json files of a folder, sorted by name; with `recursive`, also of the
/// folders in it. Throws std::runtime_error, also if there are none.
std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive);

struct Manifests {
  std::vector<Manifest> manifests;
  std::vector<std::string> errors;  // lines that start with the location
};

/// All objects of a file; "-" is standard input. The items of a list are objects of their own. Does
/// not throw for a file that cannot be read: see Manifests::errors.
Manifests read_manifests(const std::string& file);

}  // namespace winadmit::manifests
