// The options of subcommands that read manifests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/policy_options.hpp"
#include "manifests/manifest.hpp"
#include "policy/pod/os.hpp"

namespace winadmit::cli {

/// Takes what the files hold, in their order.
struct ManifestVisitor {
  /// Before the objects of a file, which is skipped if this returns false.
  std::function<bool(const std::string& file)> enter_file = [](const std::string&) { return true; };
  /// Before the objects of a document.
  std::function<void(const manifests::Document&)> enter_document = [](const manifests::Document&) {
  };
  std::function<void(const manifests::Manifest&)> object;
  /// After the objects of a file.
  std::function<void()> leave_file = [] {};
  std::function<void(const manifests::FileError&)> error;
  /// Where in a folder a document is that is no Kubernetes object, such as values.yaml of a chart.
  std::function<void(const std::string& location)> skip = [](const std::string&) {};
};

struct ManifestOptions {
  PolicyOptions policy;
  std::vector<std::string> names;  // files, folders, "-"
  bool recursive = false;
  std::string default_os;
  manifests::Limits limits;

  void add_to(CLI::App& command);

  /// The OS of a pod without an OS signal.
  Os default_for_pods() const;

  /// Calls `use` with each file, in the order of `names`; `is_named` is false for one that was
  /// found in a folder. Calls `fail` with what cannot be read.
  void for_each_file(const std::function<void(const std::string& file, bool is_named)>& use,
                     const std::function<void(const manifests::FileError&)>& fail) const;

  /// Visits all files, in the order of `names`. False if something could not be read, or if there
  /// is nothing.
  bool visit(const ManifestVisitor& visitor) const;
};

}  // namespace winadmit::cli
