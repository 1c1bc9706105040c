#include "manifests/input.hpp"

namespace winadmit::manifests {

InputFile open_input(const std::string& file) {
  return file == "-" ? InputFile::standard_input() : InputFile(file);
}

}  // namespace winadmit::manifests
