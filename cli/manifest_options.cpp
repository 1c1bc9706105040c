#include "cli/manifest_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/listed_files.hpp"
#include "cli/options.hpp"
#include "cli/project/glob.hpp"
#include "manifests/folder.hpp"

namespace winadmit::cli {
namespace {

std::vector<std::string> shown(std::vector<std::string> names) {
  std::ranges::transform(names, names.begin(), manifests::display_name);
  return names;
}

}  // namespace

void ManifestOptions::add_to(CLI::App& command) {
  command
      .add_option("-f,--filename,FILE", names,
                  "YAML or JSON: files, folders, or - for standard input")
      ->type_name("FILE")
      ->required();
  command.add_flag("-R,--recursive", recursive, "Also read the folders in a folder");
  command.add_flag_callback(
      "--no-project", [this] { reads_projects = false; }, "Do not read .winadmit.yaml");
  command
      .add_option(
          "--exclude", exclude,
          "Skip files that match this pattern; repeatable. * also stands for /, and **/ for any "
          "number of folders")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--max-document-size", limits.document_size,
                  "Largest document of a file, in bytes; a larger one is an error")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(std::size_t{1}, manifests::Limits::kLargestDocumentSize))
      ->type_name("SIZE")
      ->capture_default_str();
  limit_to(command.add_option("--default-os", default_os,
                              "OS of a pod without an OS signal, like the namespace label "
                              "winadmit.dev/default-os"),
           {"windows", "linux"});
  policy.add_to(command);
}

Os ManifestOptions::default_for_pods() const {
  if (default_os == "windows") return Os::windows;
  return default_os == "linux" ? Os::linux : Os::none;
}

bool ManifestOptions::excludes(const std::string& file, const Project& project) const {
  const auto matches = [&](const std::string& pattern) {
    return matches_file(pattern, file, std::filesystem::current_path());
  };
  return file != "-" && (project.excludes(file) || std::ranges::any_of(exclude, matches));
}

void ManifestOptions::for_each_file(const FileVisitor& visitor) const {
  std::vector<ListedFile> files;
  for (const std::string& name : names) {
    std::error_code error;
    if (name == "-" || !std::filesystem::is_directory(name, error)) {
      files.push_back({name, true});
      continue;
    }
    const auto fail_folder = [&](const std::string& line) {
      visitor.error({.line = line, .location = {.file = manifests::display_name(name)}});
    };
    const manifests::FolderHandler handler{
        .error = fail_folder,
        .chart_templates =
            [&](const std::string& folder) { visitor.skip_chart(manifests::display_name(folder)); },
        .left_out = kProjectFile};
    for (std::string& file : manifests::find_manifest_files(name, recursive, handler))
      files.push_back({std::move(file), false});
  }
  remove_repeated(files);
  for (const ListedFile& each : files) visitor.file(each.name, each.is_named);
}

bool ManifestOptions::may_have_no_object(const std::string& file, std::string_view text) {
  return file != "-" && text.find('#') != std::string_view::npos;
}

std::string ManifestOptions::no_objects_text() const {
  return fmt::format("no objects found in {}", fmt::join(shown(names), ", "));
}

bool ManifestOptions::visit(const ManifestVisitor& visitor) const {
  bool is_complete = true;
  bool is_empty = true;
  const auto fail = [&](const manifests::FileError& error) {
    is_complete = false;
    visitor.error(error);
  };
  std::string of_file;
  const auto enter_document = [&](const manifests::Document& document) {
    if (may_have_no_object(of_file, document.text())) is_empty = false;
    visitor.enter_document(document);
  };
  manifests::ManifestHandler handler{.object =
                                         [&](const manifests::Manifest& manifest) {
                                           is_empty = false;
                                           visitor.object(manifest);
                                         },
                                     .error = fail,
                                     .document = enter_document,
                                     .other = {},
                                     .empty_list = [&] { is_empty = false; }};
  const auto skip = [&](const manifests::Location& location) {
    is_empty = false;
    visitor.skip(to_string(location));
  };
  for_each_file({.file =
                     [&](const std::string& file, bool is_named) {
                       const bool is_read = visitor.enter_file(file);
                       if (!is_read || !is_named) is_empty = false;
                       if (!is_read) return;
                       of_file = file;
                       handler.other = nullptr;
                       if (!is_named) handler.other = skip;
                       manifests::read_manifests(file, handler, limits);
                       visitor.leave_file();
                     },
                 .skip_chart = visitor.skip_chart,
                 .error = fail});
  if (is_empty && is_complete) {
    fail({.line = no_objects_text(), .location = {.file = manifests::display_name(names.front())}});
  }
  return is_complete && !is_empty;
}

}  // namespace winadmit::cli
