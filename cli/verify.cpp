// The subcommand verify: whether the API server calls winadmit, and gets its verdict; and whether
// placed pods can run on the Windows nodes.
#include "cluster/verify.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "bytes/error.hpp"
#include "cli/cluster_options.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/unreachable_nodes.hpp"

namespace winadmit::cli {
namespace {

/// Each is a request. More builds than Kubernetes has supported at a time.
constexpr std::size_t kMaxBuilds = 16;

struct VerifyFlags {
  ClusterOptions cluster;
  std::string name_space = "default";
  std::string mode = "enforce";
  int wait_seconds = 0;
  std::vector<std::string> ignored_taints;
};

void report(const std::string& line) { std::cout << line << std::endl; }

/// Which Windows nodes placed pods cannot reach; empty if there is none, or if the nodes cannot be
/// read, which is reported. Throws Error.
std::string why_unreachable(const cluster::Client& client, const VerifyFlags& options) {
  const auto nodes = cluster::read_windows_nodes(client);
  if (!nodes) {
    report(
        "the taints of the Windows nodes are not compared: the service account may not list "
        "nodes; that of the chart's test may");
    return {};
  }
  if (nodes->empty()) {
    report("there is no Windows node whose taints could be compared");
    return {};
  }
  PlacedTolerations placed;
  placed[""] = cluster::read_placed_tolerations(client, options.name_space, "");
  for (const cluster::WindowsNode& node : *nodes) {
    if (placed.size() > kMaxBuilds) break;
    if (!placed.contains(node.build))
      placed[node.build] = cluster::read_placed_tolerations(client, options.name_space, node.build);
  }
  const std::string unreachable = describe_unreachable(*nodes, placed, options.ignored_taints);
  const auto judged = std::ranges::count_if(
      *nodes, [&](const cluster::WindowsNode& node) { return placed.contains(node.build); });
  if (unreachable.empty())
    report("placed pods tolerate the taints of " + std::to_string(judged) + " of " +
           std::to_string(nodes->size()) + " Windows nodes");
  return unreachable;
}

int verify(const VerifyFlags& options) {
  using std::chrono::seconds;
  const cluster::Client client(options.cluster.load());
  std::string reason = cluster::verify(
      client,
      {.name_space = options.name_space,
       .verdict = options.mode == "warn" ? cluster::Verdict::warned : cluster::Verdict::refused,
       .wait = seconds(options.wait_seconds),
       .sleep = [](seconds time) { std::this_thread::sleep_for(time); },
       .report = report});
  try {
    if (reason.empty()) reason = why_unreachable(client, options);
  } catch (const Error& error) {
    reason = error.what();
  }
  if (reason.empty()) return kClean;
  std::cerr << "winadmit: " << reason << '\n';
  return kNegative;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyFlags>();
  CLI::App* command =
      app.add_subcommand("verify",
                         "Ask the API server, as dry runs, to create a Windows pod and an "
                         "unsupported one, and compare "
                         "the taints of Windows nodes with the tolerations that pods get");
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
  take_list(command->add_option("--ignore-taint", options->ignored_taints,
                                "Key of a taint of Windows nodes that pods tolerate themselves, "
                                "such as that of a dedicated pool; repeatable"))
      ->type_name("KEY");
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace winadmit::cli
