// Manifests as kubectl takes them: YAML of several documents, JSON, lists of objects; from files,
// folders and standard input.
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
  std::string file;  // as it was called, or "<stdin>"
  nlohmann::json object;
  std::optional<YAML::Node> node;  // with the places of its fields; none of JSON
};

/// A member that is a text, or "".
std::string text_member(const nlohmann::json& object, const char* key);

/// Where something is in a file; of JSON that is not known.
struct Place {
  std::string file;
  int line = 0;              // from 1; 0: not known
  int column = 0;            // the same
  std::string text() const;  // "FILE:LINE:COLUMN" or "FILE"
};

/// Of a field, by its JSON Pointer, or of the part of its path that there is.
Place place_of(const Manifest& manifest, const std::string& pointer = {});

/// The files of a folder that kubectl would read: .yaml, .yml and .json, by name; of the folders in
/// it, too, if `recursive`. Throws std::runtime_error, also where there is none.
std::vector<std::string> files_of(const std::string& folder, bool recursive);

/// Every object of one file, those in lists each alone. What cannot be read is told to `fail`, a
/// line that begins with its place, and left out.
std::vector<Manifest> read_manifests(const std::string& file,
                                     const std::function<void(const std::string&)>& fail);

}  // namespace winadmit::manifests
