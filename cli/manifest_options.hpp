// The options of the subcommands that read manifests.
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

  /// What a pod without a signal counts as.
  Os default_for_pods() const;

  struct Read {
    std::vector<manifests::Manifest> manifests;
    bool is_complete = true;  // all that was named was read, and there was something
  };

  /// Every object of all that was named, in its order. The rest is said on standard error.
  Read read() const;
};

}  // namespace winadmit::cli
