#include "manifests/input.hpp"

#include <iostream>
#include <iterator>
#include <stdexcept>

#include "certs/files.hpp"

namespace winadmit::manifests {

std::string read_input(const std::string& file) {
  if (file != "-") return certs::read_file(file);
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (std::cin.bad()) throw std::runtime_error("cannot read standard input");
  return text;
}

}  // namespace winadmit::manifests
