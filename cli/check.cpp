#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/manifest_checker.hpp"
#include "cli/manifest_options.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {
namespace {

struct CheckOptions {
  ManifestOptions manifests;
  Output output = Output::text;
};

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

int check(const CheckOptions& options) {
  ManifestChecker checker(options.manifests.policy.load(), options.manifests.default_for_pods());
  std::size_t objects = 0, refused = 0, warned = 0;
  nlohmann::json all = nlohmann::json::array();
  const bool is_complete = options.manifests.for_each([&](const manifests::Manifest& manifest) {
    ++objects;
    const std::vector<ManifestFinding> findings = checker.check(manifest);
    const bool is_refused = std::ranges::any_of(findings, &ManifestFinding::is_denial);
    refused += is_refused ? 1 : 0;
    warned += !is_refused && !findings.empty() ? 1 : 0;
    for (const ManifestFinding& each : findings) {
      if (options.output == Output::json) {
        all.push_back(to_json(each));
      } else {
        std::cout << to_string(each) << '\n';
      }
    }
  });
  if (options.output == Output::json) std::cout << all.dump(2) << '\n';
  if (objects > 0) {
    std::cerr << counted(objects, "object") << ": " << refused << " refused, " << warned
              << " with warnings\n";
  }
  if (!is_complete) return kUsage;
  return refused > 0 ? kFindings : kClean;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check manifests against the policy");
  options->manifests.add_to(*command);
  add_output(*command, options->output, {Output::text, Output::json});
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace winadmit::cli
