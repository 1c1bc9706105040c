// The subcommand verify: whether the API server calls winadmit, and gets its verdict.
#include "cluster/verify.hpp"

#include <iostream>
#include <memory>
#include <thread>

#include "cli/cluster_options.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {
namespace {

struct VerifyFlags {
  ClusterOptions cluster;
  std::string name_space = "default";
  std::string mode = "enforce";
  int wait_seconds = 0;
};

int verify(const VerifyFlags& options) {
  using std::chrono::seconds;
  const std::string reason = cluster::verify(
      cluster::Client(options.cluster.load()),
      {.name_space = options.name_space,
       .verdict = options.mode == "warn" ? cluster::Verdict::warned : cluster::Verdict::refused,
       .wait = seconds(options.wait_seconds),
       .sleep = [](seconds time) { std::this_thread::sleep_for(time); },
       .report = [](const std::string& line) { std::cout << line << std::endl; }});
  if (reason.empty()) return kClean;
  std::cerr << "winadmit: " << reason << '\n';
  return kNegative;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyFlags>();
  CLI::App* command = app.add_subcommand(
      "verify", "Ask the API server, as dry runs, to create a Windows pod and an unsupported one");
  options->cluster.add_to(*command);
  command
      ->add_option(
          "--namespace", options->name_space,
          "Namespace of the pods; the service account must be allowed to create pods there")
      ->type_name("NAME")
      ->capture_default_str();
  limit_to(command->add_option("--mode", options->mode,
                               "What winadmit does in that namespace: the label winadmit.dev/mode"),
           {"enforce", "warn"})
      ->capture_default_str();
  limit_to(command->add_option(
               "--wait", options->wait_seconds,
               "Longest time to wait until a pod is placed and the other one is refused"),
           0, 86400)
      ->type_name("SECONDS")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace winadmit::cli
