// The files of tests/data, wherever the tests are run from.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#ifndef WINADMIT_TEST_DATA
#error "WINADMIT_TEST_DATA must be the path of tests/data"
#endif

namespace winadmit::test {

inline std::filesystem::path data(std::string_view name) {
  return std::filesystem::path(WINADMIT_TEST_DATA) / name;
}

/// All of a file; "" of one that is not there.
inline std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace winadmit::test
