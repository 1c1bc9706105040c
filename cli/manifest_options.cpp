#include "cli/manifest_options.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "cli/options.hpp"

namespace winadmit::cli {

void ManifestOptions::add_to(CLI::App& command) {
  command
      .add_option("-f,--filename,FILE", names,
                  "YAML or JSON: files, folders, or - for standard input")
      ->required();
  command.add_flag("-R,--recursive", recursive, "Also read the folders in a folder");
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

ManifestOptions::Read ManifestOptions::read() const {
  Read all;
  const auto fail = [&](const std::string& line) {
    all.is_complete = false;
    std::cerr << "winadmit: " << line << '\n';
  };
  const auto read_file = [&](const std::string& file) {
    manifests::Manifests read = manifests::read_manifests(file);
    std::ranges::for_each(read.errors, fail);
    std::ranges::move(read.manifests, std::back_inserter(all.manifests));
  };
  for (const std::string& name : names) {
    try {
      if (name != "-" && std::filesystem::is_directory(name)) {
        std::ranges::for_each(manifests::find_manifest_files(name, recursive), read_file);
      } else {
        read_file(name);
      }
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
  }
  if (all.manifests.empty() && all.is_complete) fail("no objects found");
  return all;
}

}  // namespace winadmit::cli
