#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "bytes/input_file.hpp"
#include "cli/added_scheduling_files.hpp"
#include "cli/checked_tree.hpp"
#include "cli/checkers.hpp"
#include "cli/commands.hpp"
#include "cli/fix/fix_file.hpp"
#include "cli/fix/fix_rendered.hpp"
#include "cli/fix/fix_stream.hpp"
#include "cli/fix/unified_diff.hpp"
#include "cli/manifest_options.hpp"
#include "cli/report/summary.hpp"
#include "cli/terminal/error_line.hpp"
#include "cli/terminal/exact_text.hpp"
#include "cli/terminal/shell_word.hpp"
#include "cli/terminal/terminal.hpp"
#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

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
  if (given.is_relative() && is_in_folder(file, here)) return file.lexically_relative(here);
  return file == (here / given).lexically_normal() ? given : file;
}

/// Where nobody said what the nodes are.
std::string default_tolerations_hint() {
  std::string hint = "added ";
  for (const PlatformTaint& each : default_platform().taints)
    if (each.build.empty()) hint.append(each.key).append("=").append(each.value);
  hint += ", which few clusters use; say what yours is: --platform ";
  for (const Platform& each : platforms()) {
    if (&each == &default_platform()) continue;
    if (!hint.ends_with(' ')) hint += '|';
    hint += each.id;
  }
  return hint;
}

class Fix {
 public:
  explicit Fix(const FixOptions& options)
      : options_(options),
        checkers_(options.manifests, ManifestChecker::Mutation::assumed, options.set_os),
        projects_(options.manifests.reads_projects) {}

  int run() {
    options_.manifests.for_each_file(
        {.list =
             [this](const std::vector<ListedFile>& files) {
               read_added_scheduling(files, options_.manifests, projects_,
                                     checkers_.added_scheduling());
             },
         .file = [this](const ListedFile& file) { try_to_fix(file); },
         .skip_chart =
             [this](const std::string& folder) {
               is_empty_ = false;
               std::cerr << printable(folder +
                                      ": templates of a Helm chart are not changed; fix what is "
                                      "rendered")
                         << '\n';
             },
         .skip_kustomization =
             [this](const std::string& folder) { kustomizations_.push_back(folder); },
         .error = fail_});
    if (is_empty_ && is_complete_) fail_({.what = options_.manifests.no_objects_text()});
    if (options_.check && !kustomizations_.empty()) {
      std::cerr << counted(kustomizations_.size(), "kustomization") << " not rendered";
      if (!options_.manifests.untrusted) {
        std::cerr << "; winadmit fix --check --render "
                  << printable(shell_word(kustomizations_.front())) << " checks the result";
      }
      std::cerr << '\n';
    }
    if (prints_text()) print_text();
    if (adds_default_tolerations_) std::cerr << "winadmit: " << default_tolerations_hint() << '\n';
    if (!is_complete_) return kError;
    const bool is_found = options_.check && is_changed_;
    return is_unfinished_ || is_found ? kNegative : kClean;
  }

 private:
  bool prints_text() const { return !options_.in_place && !options_.diff && !options_.check; }

  /// A part is not printed: somebody could apply it.
  void print_text() {
    if (is_complete_) {
      try {
        print_exact(leaves_input() ? InputFile::standard_input().read_all(kAnySize)
                                   : stream_.text());
      } catch (const Error& error) {
        fail_({.what = error.what()});
      }
    } else if (is_changed_) {
      std::cerr << "winadmit: nothing is printed, because of the errors above\n";
    }
    tell(is_complete_);
  }

  /// Prints what there is to say of a file, or of all that are printed. Changes only if they are
  /// done.
  void tell(bool is_done) {
    for (const Line& each : lines_) {
      if (is_done || !each.is_change) std::cerr << printable(each.text) << '\n';
    }
    lines_.clear();
    adds_default_tolerations_ |= is_done && would_add_default_tolerations_;
    would_add_default_tolerations_ = false;
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
    if (listed.rendered) return check_rendered(listed);
    // Edits are those of the file that a symbolic link leads to.
    const std::string name = prints_text() ? given : without_links(given);
    if (listed.is_left_by(name) && !options_.manifests.excludes(given, projects_.of(given)))
      return leave(listed);
    const Project& project = projects_.of(name);
    if (options_.manifests.excludes(given, projects_.of(given)) ||
        options_.manifests.excludes(name, project)) {
      is_empty_ = false;
      if (prints_text() && listed.is_named && !listed.source.is_standard_input()) keep(given);
      return;
    }
    is_input_read_ |= listed.source.is_standard_input();
    const FileVersion version = version_of(name);
    const bool must_be_manifest = options_.manifests.must_be_manifest(listed);
    const manifests::Source source(listed.source.is_standard_input() ? "-" : name, name);
    FixedFile file = fix_file(
        source, {.checker = checkers_.of(project),
                 .project = project,
                 .added = checkers_.added_scheduling(),
                 .limits = options_.manifests.limits,
                 .must_be_manifest = must_be_manifest,
                 .honours_ignores = !options_.manifests.untrusted,
                 .change = [this](const std::string& line) { lines_.push_back({line, true}); },
                 .report = [this](const std::string& line) { lines_.push_back({line}); },
                 .fail = fail_});
    if (options_.manifests.may_be_other(listed) || file.objects > 0 || file.has_empty_list ||
        ManifestOptions::may_have_no_object(source, file.text)) {
      is_empty_ = false;
    }
    is_unfinished_ |= file.is_unfinished;
    is_changed_ |= !file.edits.empty();
    would_add_default_tolerations_ |=
        file.adds_tolerations && !checkers_.has_chosen_tolerations(project);
    if (prints_text()) {
      // Somebody applies the stream: not with values.yaml.
      const bool is_only = options_.manifests.names.size() == 1 && listed.is_named;
      if (is_only || must_be_manifest || file.objects > 0)
        stream_.add(std::move(file), listed.is_named);
    } else {
      const bool is_done = file.edits.empty() || (!file.has_errors && output(name, file, version));
      if (!is_done)
        lines_.push_back({file.name + ": the file is not changed, because of the errors above"});
      tell(is_done);
    }
  }

  /// A link that leads out of a folder may be somebody's who may not write what it leads to.
  void leave(const ListedFile& link) {
    is_empty_ = false;
    const std::string why = options_.manifests.outside_text(link);
    if (options_.manifests.untrusted) return fail_({.what = why});
    std::cerr << printable(why) << '\n';
  }

  void check_rendered(const ListedFile& listed) {
    is_empty_ = false;
    const Project& project = projects_.of(listed.source.name);
    if (options_.manifests.excludes(listed, project)) return;
    const RenderedFixes fixes =
        find_rendered_fixes(*listed.rendered, {.checker = checkers_.of(project),
                                               .project = project,
                                               .added = checkers_.added_scheduling(),
                                               .limits = options_.manifests.limits,
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
      std::cerr << printable(manifests::display_name(name) + ": is excluded and not printed")
                << '\n';
      return;
    }
    FixedFile file{.name = manifests::display_name(name)};
    try {
      file.text = manifests::open_input(name).read_all(kAnySize);
    } catch (const std::runtime_error& error) {
      return fail_({.what = error.what()});
    }
    file.parts.emplace_back();
    stream_.add(std::move(file), /*is_named=*/true);
  }

  /// False if that fails. `version`: of the file before it was read.
  bool output(const std::string& name, const FixedFile& file, const FileVersion& version) {
    try {
      if (options_.diff) {
        print_diff(file);
      } else if (options_.check) {
        std::cout << printable(file.name) << '\n';
      } else {
        write(name, file, version);
      }
      return true;
    } catch (const std::runtime_error& error) {
      fail_({.what = error.what()});
      return false;
    }
  }

  static void print_diff(const FixedFile& file) {
    const std::string diff = unified_diff(file.name, file.text, file.edits);
    if (is_terminal(STDOUT_FILENO)) {
      std::cout << for_terminal(diff, wants_colour());
      return;
    }
    try {
      print_exact(diff);
    } catch (const Error& error) {
      throw Error(file.name + ": " + error.what());
    }
  }

  /// Throws std::runtime_error.
  static void write(const std::string& name, const FixedFile& file, const FileVersion& version) {
    if (!fs::is_regular_file(name))
      throw Error("cannot write " + file.name + ": it is not a regular file");
    if (version_of(name) != version) {
      throw Error(file.name +
                  ": something else wrote the file meanwhile, and it is not changed; try again");
    }
    write_file(name, file.edited(), Readers::as_before);
  }

  struct Line {
    std::string text;
    bool is_change = false;
  };

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
  std::vector<Line> lines_;                     // that tell() will print
  bool would_add_default_tolerations_ = false;  // where those lines are about
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
    ManifestOptions& manifests = options->manifests;
    manifests.require_consistent();
    if (options->in_place && manifests.untrusted)
      throw CLI::ValidationError("--in-place", "writes what is not trusted: --untrusted is set");
    // What is printed has what kubectl would read.
    manifests.stays_in_folders = options->in_place || options->diff || options->check;
    const auto& names = manifests.names;
    if (options->in_place && std::ranges::find(names, "-") != names.end())
      throw CLI::ValidationError("--in-place", "standard input cannot be written in place");
    if (options->manifests.renders && !options->check)
      throw CLI::ValidationError("--render", "needs --check: what is rendered has no text to edit");
    options->manifests.never_renders = !options->check;
    exit_code = Fix(*options).run();
  });
}

}  // namespace winadmit::cli
