#include "manifests/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace winadmit::manifests {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10U;

[[noreturn]] void fail(const std::string& name) {
  throw std::runtime_error("cannot read " + name + ": " + std::strerror(errno));
}

}  // namespace

std::string read_input(const std::string& file, std::size_t limit) {
  InputFile input(file);
  std::string text;
  while (input.read_more(text)) {
    if (text.size() <= limit) continue;
    const std::string name = file == "-" ? "standard input" : file;
    throw std::runtime_error(name + " is larger than " + std::to_string(limit) + " bytes");
  }
  return text;
}

InputFile::InputFile(const std::string& name)
    : name_(name == "-" ? "standard input" : name),
      is_standard_input_(name == "-"),
      descriptor_(is_standard_input_ ? STDIN_FILENO
                                     : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {
  if (descriptor_ < 0) fail(name_);
}

InputFile::~InputFile() {
  if (!is_standard_input_) ::close(descriptor_);
}

bool InputFile::read_more(std::string& to) {
  const std::size_t before = to.size();
  to.resize(before + kBlock);
  ssize_t count = 0;
  do count = ::read(descriptor_, to.data() + before, kBlock);
  while (count < 0 && errno == EINTR);
  to.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0) fail(name_);
  return count > 0;
}

}  // namespace winadmit::manifests
