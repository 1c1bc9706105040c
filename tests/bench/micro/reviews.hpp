// A parsed review, as input of the steps after parsing.
#pragma once

#include <simdjson.h>

#include <filesystem>
#include <string>

#include "admission/review.hpp"
#include "policy/policy.hpp"

namespace winadmit::bench {

struct ParsedPod {
  ParsedPod(const std::filesystem::path& file, const Policy& policy);
  ParsedPod(const ParsedPod&) = delete;
  ParsedPod& operator=(const ParsedPod&) = delete;

  std::string name;  // of the file, without its suffix
  std::size_t size = 0;
  std::string bytes;  // with simdjson's padding
  simdjson::dom::parser parser;
  server::Review review;
  Pod pod;
  Target target;
};

}  // namespace winadmit::bench
