#include "certs/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "certs/error.hpp"

namespace winadmit::certs {
namespace {

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::string read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw Error(file.string() + " is a directory, not a file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
  return std::move(text).str();
}

void write_file(const std::filesystem::path& file, const std::string& text, Readers readers) {
  std::string temporary = file.string() + ".XXXXXX";
  const int out = mkostemp(temporary.data(), O_CLOEXEC);  // created with mode 0600
  bool ok = out >= 0 && write_all(out, text) &&
            fchmod(out, readers == Readers::owner ? 0600 : 0644) == 0 && fsync(out) == 0;
  int error = errno;
  if (out >= 0) ::close(out);
  if (ok && std::rename(temporary.c_str(), file.c_str()) != 0) {
    ok = false;
    error = errno;
  }
  if (ok) return;
  if (out >= 0) ::unlink(temporary.c_str());
  throw Error("cannot write " + file.string() + ": " + std::strerror(error));
}

}  // namespace winadmit::certs
