#include "cli/manifest_options.hpp"

#include <filesystem>
#include <iostream>
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

bool ManifestOptions::for_each(const std::function<void(const manifests::Manifest&)>& use) const {
  bool is_complete = true;
  bool is_empty = true;
  const auto fail = [&](const std::string& line) {
    is_complete = false;
    std::cerr << "winadmit: " << line << '\n';
  };
  const manifests::ManifestHandler handler{.object =
                                               [&](const manifests::Manifest& manifest) {
                                                 is_empty = false;
                                                 use(manifest);
                                               },
                                           .error = fail};
  for (const std::string& name : names) {
    try {
      if (name != "-" && std::filesystem::is_directory(name)) {
        for (const std::string& file : manifests::find_manifest_files(name, recursive)) {
          manifests::read_manifests(file, handler);
        }
      } else {
        manifests::read_manifests(name, handler);
      }
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
  }
  if (is_empty && is_complete) fail("no objects found");
  return is_complete && !is_empty;
}

}  // namespace winadmit::cli
