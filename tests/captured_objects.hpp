// The objects of the captured reviews.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/test_data.hpp"

namespace winadmit::test {

inline std::vector<nlohmann::json> captured_objects() {
  std::vector<nlohmann::json> objects;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data("reviews"))) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const nlohmann::json review = nlohmann::json::parse(file);
    const nlohmann::json& object = review.at("request").at("object");
    if (object.is_object()) objects.push_back(object);
  }
  return objects;
}

}  // namespace winadmit::test
