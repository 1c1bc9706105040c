// The options of subcommands that read manifests.
#pragma once

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

  struct Read {
    std::vector<manifests::Manifest> manifests;
    bool is_complete = true;  // everything was read, and there is at least one object
  };

  /// All objects in the order of `names`. Prints errors to standard error.
  Read read() const;
};

}  // namespace winadmit::cli
