// The options of subcommands that read manifests.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/listed_files.hpp"
#include "cli/policy_options.hpp"
#include "cli/project/project.hpp"
#include "cli/render/render.hpp"
#include "manifests/location.hpp"
#include "manifests/manifest.hpp"
#include "policy/pod/os.hpp"

namespace winadmit::cli {

/// Takes what the files hold, in their order.
struct ManifestVisitor {
  /// All files, before the first.
  std::function<void(const std::vector<ListedFile>&)> list = [](const std::vector<ListedFile>&) {};
  /// Before the objects of a file, which is skipped if this returns false.
  std::function<bool(const ListedFile&)> enter_file = [](const ListedFile&) { return true; };
  /// Before the objects of a document.
  std::function<void(const manifests::Document&)> enter_document = [](const manifests::Document&) {
  };
  std::function<void(const manifests::Manifest&)> object;
  /// After the objects of a file.
  std::function<void()> leave_file = [] {};
  std::function<void(const manifests::FileError&)> error;
  /// Where in a folder a document is that is no Kubernetes object, such as values.yaml of a chart.
  std::function<void(const std::string& location)> skip = [](const std::string&) {};
  /// The same of a template that is not rendered.
  std::function<void(const std::string& location)> skip_template = [](const std::string&) {};
  /// The folder of the templates of a Helm chart, which are not read.
  std::function<void(const std::string& folder)> skip_chart = [](const std::string&) {};
  /// The folder of a kustomization that is not rendered.
  std::function<void(const std::string& folder)> skip_kustomization = [](const std::string&) {};
  /// What a chart or a kustomization is rendered to, in the place of the objects of a file.
  RenderHandler rendered;
};

/// Takes the files, in their order.
struct FileVisitor {
  /// All of them, before the first.
  std::function<void(const std::vector<ListedFile>&)> list;
  std::function<void(const ListedFile& file)> file;
  /// The folder of the templates of a Helm chart, which are not read.
  std::function<void(const std::string& folder)> skip_chart;
  /// The folder of a kustomization that is not rendered.
  std::function<void(const std::string& folder)> skip_kustomization = [](const std::string&) {};
  std::function<void(const manifests::FileError&)> error;
};

struct ManifestOptions {
  PolicyOptions policy;
  std::vector<std::string> names;  // files, folders, "-"
  bool recursive = false;
  std::string stdin_filename;        // the file that standard input is the text of
  bool skips_others = false;         // files without objects are no error, also if they are named
  bool reads_projects = true;        // .winadmit.yaml
  bool untrusted = false;            // nothing that is checked decides how it is checked
  bool stays_in_folders = false;     // links that lead out of a folder are not followed
  bool renders = false;              // charts and kustomizations; else those of .winadmit.yaml
  bool never_renders = false;        // also not those
  std::vector<std::string> exclude;  // patterns for files, from the working directory
  std::string default_os;
  manifests::Limits limits;

  void add_to(CLI::App& command);

  /// The OS of a pod without an OS signal: that of the flag, else of the configuration.
  Os default_for_pods(const server::Config& config) const;

  /// Whether the file with this name is to be skipped. Standard input without a name never is.
  bool excludes(const std::string& name, const Project& project) const;

  /// A folder that is rendered is skipped if all that may be in it is.
  bool excludes(const ListedFile& file, const Project& project) const {
    return excludes(file.rendered ? file.rendered->folder + "/*" : file.source.name, project);
  }

  /// Whether other documents than objects are errors in the file.
  bool must_be_manifest(const ListedFile& file) const { return file.is_named && !skips_others; }

  /// Whether the file may have no object: one of a folder, but not .winadmit.yaml, which never has
  /// one.
  bool may_be_other(const ListedFile& file) const {
    return !must_be_manifest(file) && !is_project_file(file.source.name);
  }

  /// Whether a file without objects is no error: a file of comments may have none on purpose. An
  /// empty pipe rather means that the command before it failed.
  static bool may_have_no_object(const manifests::Source& source, std::string_view text);

  /// "no objects found in a.yaml"
  std::string no_objects_text() const;

  /// Throws CLI::ValidationError for options that contradict each other.
  void require_consistent() const;

  /// With --untrusted: throws CLI::ValidationError if the file that `flag` names may have the same
  /// authors as what is checked.
  void require_trusted(const std::string& flag, const std::string& file) const;

  /// Why a file whose tree is_left_by() its path is not read.
  std::string outside_text(const ListedFile& file) const;

  /// Visits all files, in the order of `names`, each file once.
  void for_each_file(const FileVisitor& visitor) const;

  /// Visits all files, in the order of `names`. False if something could not be read, or if there
  /// is nothing.
  bool visit(const ManifestVisitor& visitor) const;

 private:
  ListedFile named_file(const std::string& name) const;
  /// Its charts and kustomizations that are rendered become a part of `rendered`.
  void add_folder(const std::string& folder, const FileVisitor& visitor, RenderedFolders& rendered,
                  std::vector<ListedFile>& to) const;
};

}  // namespace winadmit::cli
