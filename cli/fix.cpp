#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bytes/files.hpp"
#include "cli/checkers.hpp"
#include "cli/commands.hpp"
#include "cli/fix/fix_file.hpp"
#include "cli/fix/fix_rendered.hpp"
#include "cli/fix/fix_stream.hpp"
#include "cli/fix/unified_diff.hpp"
#include "cli/manifest_options.hpp"
#include "cli/report/summary.hpp"
#include "cli/terminal/error_line.hpp"
#include "cli/terminal/terminal.hpp"
#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

struct FixOptions {
  ManifestOptions manifests;
  bool in_place = false;
  bool diff = false;
  bool check = false;
  bool set_os = false;
};

/// The file that symbolic links in a name lead to: from the working directory if it is below that
/// and the name is not absolute, else the same name if there is no link, or no such file.
std::string without_links(const std::string& name) {
  if (name == "-") return name;
  std::error_code no_folder, no_file;
  const fs::path here = fs::canonical(".", no_folder);
  const fs::path file = fs::canonical(name, no_file);
  const fs::path given = manifests::display_name(name);
  if (no_folder || no_file) return given;
  const fs::path relative = file.lexically_relative(here);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  if (given.is_relative() && is_below) return relative;
  return file == (here / given).lexically_normal() ? given : file;
}

class Fix {
 public:
  explicit Fix(const FixOptions& options)
      : options_(options),
        checkers_(options.manifests, ManifestChecker::Mutation::assumed, options.set_os),
        projects_(options.manifests.reads_projects) {}

  int run() {
    options_.manifests.for_each_file(
        {.file = [this](const ListedFile& file) { try_to_fix(file); },
         .skip_chart =
             [this](const std::string& folder) {
               is_empty_ = false;
               std::cerr << printable(folder)
                         << ": templates of a Helm chart are not changed; fix what is rendered\n";
             },
         .skip_kustomization =
             [this](const std::string& folder) { kustomizations_.push_back(folder); },
         .error = fail_});
    if (is_empty_ && is_complete_) fail_({.what = options_.manifests.no_objects_text()});
    if (options_.check && !kustomizations_.empty()) {
      std::cerr << counted(kustomizations_.size(), "kustomization")
                << " not rendered; winadmit fix --check --render "
                << printable(kustomizations_.front()) << " checks the result\n";
    }
    if (prints_text()) print_text();
    if (adds_default_tolerations_ && (is_complete_ || !prints_text())) {
      std::cerr << "winadmit: the added tolerations are those of " << default_platform().id
                << ", the default platform; choose the platform of your nodes with --platform\n";
    }
    if (!is_complete_) return kError;
    const bool is_found = options_.check && is_changed_;
    return is_unfinished_ || is_found ? kNegative : kClean;
  }

 private:
  bool prints_text() const { return !options_.in_place && !options_.diff && !options_.check; }

  /// A part is not printed: somebody could apply it.
  void print_text() const {
    if (is_complete_ && leaves_input()) {
      InputFile input = InputFile::standard_input();
      for (std::string block; input.read_more(block); block.clear()) std::cout << block;
    } else if (is_complete_) {
      std::cout << stream_.text();
    } else if (is_changed_) {
      std::cerr << "winadmit: nothing is printed, because of the errors above\n";
    }
  }

  /// Whether standard input is all there is, and is excluded. An editor replaces its text by what
  /// is printed.
  bool leaves_input() const {
    return options_.manifests.names == std::vector<std::string>{"-"} && !is_input_read_;
  }

  void try_to_fix(const ListedFile& file) {
    try {
      fix(file);
    } catch (const ProjectError& error) {
      is_empty_ = false;
      for (const std::string& line : project_errors_.new_lines(error)) fail_({.what = line});
    }
  }

  void fix(const ListedFile& listed) {
    const std::string& given = listed.source.name;
    // Edits are those of the file that a symbolic link leads to.
    const std::string name = prints_text() ? given : without_links(given);
    const Project& project = projects_.of(name);
    if (options_.manifests.excludes(given, projects_.of(given)) ||
        options_.manifests.excludes(name, project)) {
      is_empty_ = false;
      if (prints_text() && listed.is_named && !listed.source.is_standard_input()) keep(given);
      return;
    }
    if (listed.rendered) return check_rendered(*listed.rendered, project);
    is_input_read_ |= listed.source.is_standard_input();
    const FileVersion version = version_of(name);
    const bool must_be_manifest = options_.manifests.must_be_manifest(listed);
    const manifests::Source source(listed.source.is_standard_input() ? "-" : name, name);
    FixedFile file = fix_file(source, {.checker = checkers_.of(project),
                                       .project = project,
                                       .limits = options_.manifests.limits,
                                       .must_be_manifest = must_be_manifest,
                                       .report = report_,
                                       .fail = fail_});
    if (!must_be_manifest || file.objects > 0 || file.has_empty_list ||
        ManifestOptions::may_have_no_object(source, file.text)) {
      is_empty_ = false;
    }
    is_unfinished_ |= file.is_unfinished;
    is_changed_ |= !file.edits.empty();
    if (!adds_default_tolerations_ && file.adds_tolerations && !file.has_errors)
      adds_default_tolerations_ = !checkers_.has_chosen_tolerations(project);
    if (prints_text()) {
      // Somebody applies the stream: not with values.yaml.
      const bool is_only = options_.manifests.names.size() == 1 && listed.is_named;
      if (is_only || must_be_manifest || file.objects > 0)
        stream_.add(std::move(file), listed.is_named);
    } else if (!file.edits.empty() && !file.has_errors) {
      output(name, file, version);
    } else if (!file.edits.empty()) {
      std::cerr << printable(file.name)
                << ": the file is not changed, because of the errors above\n";
    }
  }

  void check_rendered(const SourceFolder& source, const Project& project) {
    is_empty_ = false;
    const RenderedFixes fixes = find_rendered_fixes(source, {.checker = checkers_.of(project),
                                                             .project = project,
                                                             .limits = options_.manifests.limits,
                                                             .must_be_manifest = true,
                                                             .report = report_,
                                                             .fail = fail_});
    is_unfinished_ |= fixes.is_unfinished;
    is_changed_ |= !fixes.files.empty();
    for (const std::string& each : fixes.files) std::cout << printable(each) << '\n';
  }

  /// For an excluded file that is named: what is printed replaces it, if it is the only one. A
  /// stream of several is YAML, which an excluded file need not be.
  void keep(const std::string& name) {
    if (options_.manifests.names.size() > 1) {
      std::cerr << printable(manifests::display_name(name)) << ": is excluded and not printed\n";
      return;
    }
    FixedFile file{.name = manifests::display_name(name)};
    try {
      file.text = manifests::open_input(name).read_all(std::numeric_limits<std::size_t>::max());
    } catch (const std::runtime_error& error) {
      return fail_({.what = error.what()});
    }
    file.parts.emplace_back();
    stream_.add(std::move(file), /*is_named=*/true);
  }

  /// `version`: of the file before it was read.
  void output(const std::string& name, const FixedFile& file, const FileVersion& version) {
    if (options_.diff) {
      const std::string diff = unified_diff(file.name, file.text, file.edits);
      std::cout << (is_terminal(STDOUT_FILENO) ? for_terminal(diff, wants_colour()) : diff);
    } else if (options_.check) {
      std::cout << printable(file.name) << '\n';
    } else if (!fs::is_regular_file(name)) {
      fail_({.what = "cannot write " + file.name + ": it is not a regular file"});
    } else if (version_of(name) != version) {
      fail_(
          {.what = file.name +
                   ": something else wrote the file meanwhile, and it is not changed; try again"});
    } else {
      try {
        write_file(name, file.edited(), Readers::as_before);
      } catch (const std::runtime_error& error) {
        fail_({.what = error.what()});
      }
    }
  }

  const FixOptions& options_;
  Checkers checkers_;
  Projects projects_;
  ProjectErrors project_errors_;
  FixStream stream_{options_.manifests.limits};
  std::vector<std::string> kustomizations_;  // that are not rendered
  bool is_empty_ = true;
  bool is_input_read_ = false;
  bool is_complete_ = true;
  bool is_unfinished_ = false;
  bool is_changed_ = false;
  bool adds_default_tolerations_ = false;
  std::function<void(const std::string&)> report_ = [](const std::string& line) {
    std::cerr << printable(line) << '\n';
  };
  std::function<void(const manifests::FileError&)> fail_ =
      [this](const manifests::FileError& error) {
        is_complete_ = false;
        std::cerr << error_line(error) << '\n';
      };
};

}  // namespace

void add_fix(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FixOptions>();
  CLI::App* command = app.add_subcommand("fix",
                                         "Print manifests with Windows placement added and "
                                         "removable fields removed; all else stays byte "
                                         "for byte");
  options->manifests.add_to(*command);
  CLI::Option* const in_place =
      command->add_flag("--in-place", options->in_place, "Write the files instead");
  command->add_flag("--diff", options->diff, "Print the changes as a patch instead")
      ->excludes(in_place);
  command
      ->add_flag("--check", options->check,
                 "Print the names of files that would change instead; the exit code is 1 if there "
                 "are some")
      ->excludes(in_place);
  command->add_flag("--set-os", options->set_os,
                    "Also set spec.os.name: windows, where nothing is left that the API server "
                    "would refuse then");
  command->callback([options, &exit_code] {
    options->manifests.require_consistent();
    const auto& names = options->manifests.names;
    if (options->in_place && std::ranges::find(names, "-") != names.end())
      throw CLI::ValidationError("--in-place", "standard input cannot be written in place");
    if (options->manifests.renders && !options->check)
      throw CLI::ValidationError("--render", "needs --check: what is rendered has no text to edit");
    options->manifests.never_renders = !options->check;
    exit_code = Fix(*options).run();
  });
}

}  // namespace winadmit::cli
