// The options of subcommands that read manifests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/policy_options.hpp"
#include "manifests/manifest.hpp"
#include "policy/pod/os.hpp"

namespace winadmit::cli {

struct ManifestOptions {
  PolicyOptions policy;
  std::vector<std::string> names;  // files, folders, "-"
  bool recursive = false;
  std::string default_os;

  void add_to(CLI::App& command);

  /// The OS of a pod without an OS signal.
  Os default_for_pods() const;

  /// Calls `use` with each object, in the order of `names`. Prints errors to standard error. False
  /// if something could not be read, or if there is no object.
  bool for_each(const std::function<void(const manifests::Manifest&)>& use) const;
};

}  // namespace winadmit::cli
