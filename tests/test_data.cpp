#include "tests/test_data.hpp"

#include <fstream>
#include <sstream>

namespace winadmit::test {

std::filesystem::path source(std::string_view name) {
  return std::filesystem::path(WINADMIT_SOURCE_DIR) / name;
}

std::filesystem::path data(std::string_view name) { return source("tests/data") / name; }

std::string binary() { return WINADMIT_BINARY; }

std::string archives() { return WINADMIT_ARCHIVES; }

std::size_t input_step() { return WINADMIT_IS_SANITIZED ? 10 : 1; }

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace winadmit::test
