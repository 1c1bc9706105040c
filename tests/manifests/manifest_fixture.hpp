// Reads a text as a manifest file.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "manifests/location.hpp"
#include "manifests/manifest.hpp"
#include "manifests/read_manifests.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::test {

struct Manifests {
  std::vector<manifests::Manifest> manifests;
  std::vector<std::string> errors;
};

inline Manifests manifests_of(const std::string& file) {
  Manifests read;
  manifests::read_manifests(
      file,
      {.object = [&](const manifests::Manifest& each) { read.manifests.push_back(each); },
       .error =
           [&](const manifests::FileError& error) { read.errors.push_back(to_string(error)); }});
  return read;
}

class ManifestTest : public testing::Test {
 protected:
  Manifests read(const std::string& text) const {
    return manifests_of(folder_.write("file.yaml", text));
  }

  /// The location without the file, of a manifest's field.
  static std::string position(const manifests::Manifest& manifest, const std::string& pointer) {
    const manifests::Location location = manifests::location_of(manifest, pointer);
    return std::to_string(location.line) + ':' + std::to_string(location.column);
  }

  const TemporaryFolder folder_;
};

inline constexpr const char* kPod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "spec:\n"
    "  containers:\n"
    "  - name: a\n"
    "    image: b\n";

}  // namespace winadmit::test
