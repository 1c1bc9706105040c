// Manifests, placed on Windows nodes and without what has no meaning there.
#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/manifest_options.hpp"
#include "cli/options.hpp"
#include "manifests/yaml.hpp"

namespace winadmit::cli {
namespace {

struct FixOptions {
  ManifestOptions manifests;
  Output output = Output::yaml;
};

/// As kubectl prints several objects.
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
  Judge judge(options.manifests.policy.load(), options.manifests.default_for_pods());
  auto [manifests, is_complete] = options.manifests.read();
  if (!is_complete) return kUsage;  // a part, applied, would be taken for the whole

  bool is_refused = false;
  std::vector<nlohmann::json> objects;
  for (manifests::Manifest& manifest : manifests) {
    manifest.object = judge.fix(manifest.object);
    for (const Said& each : judge.judge(manifest)) {
      is_refused |= each.refuses;
      std::cerr << each.line() << '\n';
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
