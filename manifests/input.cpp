#include "manifests/input.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace winadmit::manifests {

std::string read_input(const std::string& file) {
  std::ifstream opened;
  if (file != "-") {
    opened.open(file, std::ios::binary);
    if (!opened) throw std::runtime_error(file + ": cannot be read");
  }
  std::istream& from = file == "-" ? std::cin : opened;
  std::string text{std::istreambuf_iterator<char>(from), {}};
  if (from.bad()) throw std::runtime_error(file + ": cannot be read");
  return text;
}

}  // namespace winadmit::manifests
