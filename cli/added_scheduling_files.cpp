#include "cli/added_scheduling_files.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "manifests/read_manifests.hpp"

namespace winadmit::cli {
namespace {

/// What a file must hold. In double quotes, an escape may stand for a letter or a dash of the
/// words.
constexpr std::string_view kSigns[] = {
    "RuntimeClass", "node-selector", "default-os", "\\x",     "\\u002d", "\\u002D", "\\u004",
    "\\u005",       "\\u006",        "\\u007",     "\\U0000", "\\\n",    "\\\r"};
constexpr std::size_t kLongestSign = 13;

bool has_sign(std::string_view text) {
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

/// Of most files this is all that is read twice, and they are not parsed.
bool has_sign_in_file(const std::string& file) {
  InputFile input = manifests::open_input(file);
  std::string text;
  while (input.read_more(text)) {
    if (has_sign(text)) return true;
    text.erase(0, text.size() - std::min(text.size(), kLongestSign));
  }
  return has_sign(text);
}

}  // namespace

void read_added_scheduling(const ManifestOptions& options, Projects& projects,
                           AddedScheduling& added) {
  const manifests::ManifestHandler handler{
      .object = [&](const manifests::Manifest& manifest) { added.add(manifest); },
      .error = [](const manifests::FileError&) {},
      .other = [](const manifests::Location&) {}};
  const auto read = [&](const ListedFile& file) {
    const std::string& name = file.source.name;
    if (!std::filesystem::is_regular_file(file.source.file) ||
        options.excludes(name, projects.of(name)) || !has_sign_in_file(file.source.file)) {
      return;
    }
    manifests::read_manifests(file.source, handler, options.limits);
  };
  options.for_each_file({.file =
                             [&](const ListedFile& file) {
                               try {
                                 read(file);
                               } catch (const std::runtime_error&) {
                                 // Whoever judges the file reports it.
                               }
                             },
                         .skip_chart = [](const std::string&) {},
                         .error = [](const manifests::FileError&) {}});
}

}  // namespace winadmit::cli
