#include "cli/manifest_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/options.hpp"
#include "cli/project/glob.hpp"
#include "manifests/folder.hpp"
#include "manifests/read_manifests.hpp"

namespace winadmit::cli {
namespace {

void add_document_limits(CLI::App& command, manifests::Limits& limits) {
  limits.have_flags = true;
  const auto is_size = [](CLI::Option* option) {
    return option->transform(CLI::AsSizeValue(false).description(""))
        ->check(CLI::Range(std::size_t{1}, manifests::Limits::kMaxSize))
        ->type_name("SIZE");
  };
  is_size(command.add_option("--max-document-size", limits.document_size,
                             "Largest document of a file, or item of a large list, in bytes, or as "
                             "64MiB. It may have a key or a value for each 16 bytes of this size"))
      ->capture_default_str();
  is_size(command.add_option("--max-alias-size", limits.alias_size,
                             "Most that the aliases of a document may stand for, in the same way "
                             "(default: as --max-document-size)"));
  command
      .add_option("--max-depth", limits.depth,
                  "Most levels of mappings and lists in each other in a document")
      ->check(CLI::Range(std::size_t{1}, manifests::Limits::kMaxDepth))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace

void ManifestOptions::add_to(CLI::App& command) {
  command
      .add_option("-f,--filename,FILE", names,
                  "YAML or JSON: files, folders, or - for standard input")
      ->type_name("FILE")
      ->required();
  command.add_flag("-R,--recursive", recursive, "Also read the folders in a folder");
  command.add_flag(
      "--render", renders,
      "Check what helm template and kubectl kustomize make of a folder with Chart.yaml "
      "or kustomization.yaml: of a folder that is named, and with -R of those in it");
  command
      .add_option("--stdin-filename", stdin_filename,
                  "Treat standard input as the text of this file: in messages, for patterns, and "
                  "to find .winadmit.yaml")
      ->type_name("FILE");
  command.add_flag(
      "--skip-others", skips_others,
      "Skip files that are not Kubernetes objects, and templates, even if they are named");
  command.add_flag_callback(
      "--no-project", [this] { reads_projects = false; }, "Do not read .winadmit.yaml");
  command.add_flag_callback(
      "--untrusted",
      [this] {
        untrusted = true;
        reads_projects = false;
      },
      "Let nothing that is checked decide how it is checked: for changes of people who are not "
      "trusted");
  command
      .add_option(
          "--exclude", exclude,
          "Skip files that match this pattern; repeatable. * also stands for /, and **/ for any "
          "number of folders")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_document_limits(command, limits);
  limit_to(command.add_option("--default-os", default_os,
                              "OS of a pod without an OS signal, like the namespace label "
                              "winadmit.dev/default-os (default: defaultOs of the configuration)"),
           {"windows", "linux"});
  policy.add_to(command);
}

Os ManifestOptions::default_for_pods(const server::Config& config) const {
  if (default_os.empty()) return config.enforced_default_os();
  return default_os == "windows" ? Os::windows : Os::linux;
}

void ManifestOptions::require_consistent() const {
  if (!stdin_filename.empty() && std::ranges::find(names, "-") == names.end())
    throw CLI::ValidationError("--stdin-filename", "needs - as a FILE");
  require_trusted("--config", policy.config);
  if (untrusted && renders)
    throw CLI::ValidationError("--render", "runs what charts say: --untrusted is set");
}

void ManifestOptions::require_trusted(const std::string& flag, const std::string& file) const {
  if (!untrusted || file.empty()) return;
  if (file == "-") throw CLI::ValidationError(flag, "- is not trusted: --untrusted is set");
  for (const std::string& name : names) {
    std::string checked = named_file(name).source.name;
    if (checked == "-") checked = ".";  // whoever writes it may have written what is here
    if (!is_in(file, tree_of(checked))) continue;
    throw CLI::ValidationError(
        flag,
        fmt::format("{} is in {}, which is not trusted: with --untrusted, name a file outside",
                    file, tree_of(checked).string()));
  }
}

std::string ManifestOptions::outside_text(const ListedFile& file) const {
  const std::string name = manifests::display_name(file.source.name);
  if (untrusted) return name + ": is a link out of " + file.tree + ", and is not read";
  return name + ": is a link out of the folder, and is left; name it to change what it leads to";
}

bool ManifestOptions::excludes(const std::string& name, const Project& project) const {
  const auto matches = [&](const std::string& pattern) {
    return matches_file(pattern, name, std::filesystem::current_path());
  };
  return name != "-" && (project.excludes(name) || std::ranges::any_of(exclude, matches));
}

ListedFile ManifestOptions::named_file(const std::string& name) const {
  const bool has_other_name = name == "-" && !stdin_filename.empty();
  return {.source = {name, has_other_name ? stdin_filename : name},
          .is_named = true,
          .tree = untrusted && name != "-" ? tree_of(name).string() : ""};
}

void ManifestOptions::add_folder(const std::string& folder, const FileVisitor& visitor,
                                 RenderedFolders& rendered, std::vector<ListedFile>& to) const {
  bool is_one_input = false;
  for (SourceFolder& each : find_source_folders(folder, recursive)) {
    const bool is_named = each.folder == folder;
    const bool is_chart = each.is_chart;
    const std::string name = manifests::display_name(each.folder);
    try {
      if (!never_renders && rendered.add(std::move(each))) {
        is_one_input |= is_named && (is_chart || !recursive);
      } else if (!is_chart) {
        visitor.skip_kustomization(name);
      } else if (!recursive) {
        visitor.skip_chart(manifests::display_name(folder + "/templates"));
      }
    } catch (const ProjectError&) {
      // Is told where its files are read.
    } catch (const std::runtime_error& error) {
      visitor.error({.what = error.what()});
    }
  }
  if (is_one_input) return;
  manifests::FolderHandler handler{
      .error =
          [&](const std::string& path, const std::string& what) {
            visitor.error({.what = what, .location = {.file = manifests::display_name(path)}});
          },
      .chart_templates =
          [&](const std::string& templates) {
            if (!rendered.has(templates)) visitor.skip_chart(manifests::display_name(templates));
          }};
  // A Chart.yaml beside them must not hide manifests that kubectl would create.
  if (untrusted) handler.chart_templates = nullptr;
  std::string tree = stays_in_folders ? folder : "";
  if (untrusted) tree = tree_of(folder).string();
  for (std::string& file : manifests::find_manifest_files(folder, recursive, handler))
    to.push_back({.source = std::move(file), .tree = tree});
}

void ManifestOptions::for_each_file(const FileVisitor& visitor) const {
  std::vector<ListedFile> files;
  std::set<std::string> charts;
  Projects projects(reads_projects);
  RenderedFolders rendered(renders, projects);
  for (const std::string& name : names) {
    ListedFile file = named_file(name);
    const std::string chart = skips_others && !untrusted
                                  ? manifests::find_chart_templates(file.source.name)
                                  : std::string();
    std::error_code error;
    if (!chart.empty()) {
      if (charts.insert(chart).second) visitor.skip_chart(chart);
    } else if (name != "-" && std::filesystem::is_directory(name, error)) {
      add_folder(name, visitor, rendered, files);
    } else {
      files.push_back(std::move(file));
    }
  }
  std::erase_if(files, [&](const ListedFile& each) {
    return !each.is_named && rendered.has(each.source.file);
  });
  remove_repeated(files);
  for (SourceFolder& each : rendered.take())
    files.push_back({.source = {each.file}, .rendered = std::move(each)});
  visitor.list(files);
  for (const ListedFile& each : files) visitor.file(each);
}

bool ManifestOptions::may_have_no_object(const manifests::Source& source, std::string_view text) {
  return source.name != "-" && !is_project_file(source.name) &&
         text.find('#') != std::string_view::npos;
}

std::string ManifestOptions::no_objects_text() const {
  std::vector<std::string> shown;
  shown.reserve(names.size());
  for (const std::string& each : names)
    shown.push_back(manifests::display_name(named_file(each).source.name));
  return fmt::format("no objects found in {}", fmt::join(shown, ", "));
}

bool ManifestOptions::visit(const ManifestVisitor& visitor) const {
  bool is_complete = true;
  bool is_empty = true;
  const auto fail = [&](const manifests::FileError& error) {
    is_complete = false;
    visitor.error(error);
  };
  const manifests::Source* source = nullptr;
  const auto enter_document = [&](const manifests::Document& document) {
    if (may_have_no_object(*source, document.text())) is_empty = false;
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
                                     .unrendered = {},
                                     .empty_list = [&] { is_empty = false; }};
  const auto skip = [&](const manifests::Location& location) {
    if (is_project_file(source->name)) return;
    is_empty = false;
    visitor.skip(to_string(location));
  };
  const auto skip_template = [&](const manifests::Location& location) {
    is_empty = false;
    visitor.skip_template(to_string(location));
  };
  for_each_file({.list = visitor.list,
                 .file =
                     [&](const ListedFile& file) {
                       const bool is_read = visitor.enter_file(file);
                       if (!is_read || may_be_other(file)) is_empty = false;
                       if (!is_read) return;
                       if (file.is_left_by(file.source.file)) {
                         return fail(
                             {.what = outside_text(file),
                              .location = {.file = manifests::display_name(file.source.name)}});
                       }
                       if (file.rendered) {
                         RenderHandler rendered = visitor.rendered;
                         rendered.error = fail;
                         render(*file.rendered, rendered, limits);
                         return visitor.leave_file();
                       }
                       source = &file.source;
                       handler.other = handler.unrendered = nullptr;
                       if (!must_be_manifest(file)) {
                         handler.other = skip;
                         handler.unrendered = skip_template;
                       }
                       manifests::read_manifests(file.source, handler, limits);
                       visitor.leave_file();
                     },
                 .skip_chart =
                     [&](const std::string& folder) {
                       is_empty = false;
                       visitor.skip_chart(folder);
                     },
                 .skip_kustomization = visitor.skip_kustomization,
                 .error = fail});
  if (is_empty && is_complete) {
    const std::string first = named_file(names.front()).source.name;
    fail({.what = no_objects_text(), .location = {.file = manifests::display_name(first)}});
  }
  return is_complete && !is_empty;
}

}  // namespace winadmit::cli
