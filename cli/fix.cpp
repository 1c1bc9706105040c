#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/manifest_checker.hpp"
#include "cli/manifest_options.hpp"
#include "cli/options.hpp"
#include "manifests/yaml.hpp"

namespace winadmit::cli {
namespace {

struct FixOptions {
  ManifestOptions manifests;
  Output output = Output::yaml;
};

/// Several objects are printed as kubectl does.
void print(const std::vector<nlohmann::json>& objects, Output output) {
  if (output == Output::json) {
    const nlohmann::json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", objects}};
    std::cout << (objects.size() == 1 ? objects.front() : list).dump(4) << '\n';
    return;
  }
  std::cout << manifests::to_yaml(
      std::vector<nlohmann::ordered_json>(objects.begin(), objects.end()));
}

int fix(const FixOptions& options) {
  ManifestChecker checker(options.manifests.policy.load(), options.manifests.default_for_pods());
  std::vector<manifests::Manifest> manifests;
  const bool is_complete = options.manifests.for_each(
      [&](const manifests::Manifest& manifest) { manifests.push_back(manifest); });
  if (!is_complete) return kUsage;  // so that nobody applies a part only

  bool is_refused = false;
  std::vector<nlohmann::json> objects;
  for (manifests::Manifest& manifest : manifests) {
    manifest.object = checker.fix(manifest.object);
    for (const ManifestFinding& each : checker.check(manifest)) {
      is_refused |= each.is_denial;
      std::cerr << to_string(each) << '\n';
    }
    objects.push_back(std::move(manifest.object));
  }
  print(objects, options.output);
  return is_refused ? kFindings : kClean;
}

}  // namespace

void add_fix(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FixOptions>();
  CLI::App* command = app.add_subcommand(
      "fix",
      "Print manifests with Windows placement added and removable fields removed; comments are "
      "lost; remaining findings go to standard error");
  options->manifests.add_to(*command);
  add_output(*command, options->output, {Output::yaml, Output::json});
  command->callback([options, &exit_code] { exit_code = fix(*options); });
}

}  // namespace winadmit::cli
