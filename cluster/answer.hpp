// Reads the answer of an API server. A member of another type than the API documents is an Error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bytes/error.hpp"

namespace winadmit::cluster {

/// The member, or an empty list: Go writes null for an empty list.
inline const nlohmann::json& list_of(const nlohmann::json& object, const char* member) {
  static const nlohmann::json kEmpty = nlohmann::json::array();
  const auto found = object.find(member);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

/// Runs `read`, which reads the answer to `call`: "GET /path".
template <typename Read>
auto read_answer(const std::string& call, const Read& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    throw Error(call + ": unexpected answer: " + error.what());
  }
}

}  // namespace winadmit::cluster
