// Manifests of objects that are in no file.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "manifests/manifest.hpp"

namespace winadmit::test {

inline manifests::Manifest manifest_of(const nlohmann::json& object) {
  const auto parsed = std::make_shared<manifests::ParsedJson>(object.dump());
  return {.file = "pod.json", .object = parsed->document.root(), .json = parsed};
}

}  // namespace winadmit::test
