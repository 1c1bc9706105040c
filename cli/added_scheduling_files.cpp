#include "cli/added_scheduling_files.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "manifests/read_manifests.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kWords[] = {"RuntimeClass", "node-selector", "default-os"};
constexpr std::size_t kMaxSignLength = 13;

bool has_word(std::string_view text) {
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    const std::boyer_moore_horspool_searcher searcher(word.begin(), word.end());
    return std::search(text.begin(), text.end(), searcher) != text.end();
  });
}

/// Whether an escape in double quotes may stand for a letter or a dash of the words, or break one.
bool has_escape(std::string_view text) {
  for (std::size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 1)) {
    const std::string_view escape = text.substr(at + 1, 5);
    if (escape.find_first_of("xU\n\r") == 0) return true;
    const std::string_view digits = escape.substr(std::min<std::size_t>(3, escape.size()));
    if (escape.starts_with("u00") &&
        (digits.find_first_of("4567") == 0 || digits == "2d" || digits == "2D"))
      return true;
  }
  return false;
}

/// What a file must have to be parsed.
bool has_sign(std::string_view text) { return has_word(text) || has_escape(text); }

/// Of most files this is all that is read twice, and they are not parsed.
bool has_sign_in_file(const std::string& file) {
  InputFile input = manifests::open_input(file);
  std::string text;
  while (input.read_more(text)) {
    if (has_sign(text)) return true;
    text.erase(0, text.size() - std::min(text.size(), kMaxSignLength));
  }
  return has_sign(text);
}

}  // namespace

void read_added_scheduling(const std::vector<ListedFile>& files, const ManifestOptions& options,
                           Projects& projects, AddedScheduling& added) {
  const manifests::ManifestHandler handler{
      .object = [&](const manifests::Manifest& manifest) { added.add(manifest); },
      .error = [](const manifests::FileError&) {},
      .other = [](const manifests::Location&) {}};
  const auto read = [&](const ListedFile& file) {
    const std::string& name = file.source.name;
    if (file.source.is_standard_input() || file.is_left_by(file.source.file) ||
        !std::filesystem::is_regular_file(file.source.file) ||
        options.excludes(name, projects.of(name)) || !has_sign_in_file(file.source.file)) {
      return;
    }
    manifests::read_manifests(file.source, handler, options.limits);
  };
  for (const ListedFile& each : files) {
    try {
      read(each);
    } catch (const std::runtime_error&) {
      // Whoever judges the file reports it.
    }
  }
}

}  // namespace winadmit::cli
