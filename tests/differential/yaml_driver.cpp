// Reads texts from standard input, each behind its size in a line, and prints a line of JSON for
// each: its documents up to the first error, and that error.
#include <sys/mman.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "manifests/document_reader.hpp"
#include "manifests/to_json.hpp"

namespace {

using namespace winadmit::manifests;
using nlohmann::json;

json read_all(const std::string& file) {
  json documents = json::array();
  std::string error;
  try {
    DocumentReader reader(file, {});
    for (FilePart part; reader.next(part);) {
      if (part.error) throw ParseError(*part.error);
      for (const NodeId root : part.document->roots()) {
        json value = to_json(*part.document, root);
        if (!value.is_null()) documents.push_back(std::move(value));
      }
    }
  } catch (const ParseError& failure) {
    error = failure.what();
  }
  return {{"documents", documents}, {"error", error}};
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const int memory = memfd_create("text", MFD_CLOEXEC);
  const std::string file = "/proc/self/fd/" + std::to_string(memory);
  std::string text;
  for (std::size_t size = 0; std::cin >> size && std::cin.get() == '\n';) {
    text.resize(size);
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(size))) return 1;
    if (ftruncate(memory, 0) != 0) return 1;
    if (pwrite(memory, text.data(), size, 0) != static_cast<ssize_t>(size)) return 1;
    std::cout << read_all(file).dump() << std::endl;
  }
  return 0;
}
