#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>

#include "cli/certs.hpp"
#include "cli/cluster_options.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cluster/kubernetes_cluster.hpp"
#include "config/label_syntax.hpp"

namespace winadmit::cli {
namespace {

int days(std::chrono::seconds time) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::days>(time).count());
}

/// The defaults are those of cluster::RotateOptions.
struct RotateFlags {
  cluster::RotateOptions rotate;
  IssueOptions issue{
      .names = {}, .days = days(rotate.lifetimes.serving), .ca_days = days(rotate.lifetimes.ca)};
  cluster::ObjectNames objects{.name_space = {},
                               .secret = "winadmit-tls",
                               .service = "winadmit",
                               .mutating = {},
                               .validating = {}};
  ClusterOptions cluster;
  int settle_seconds = static_cast<int>(rotate.settle.count());
  int wait_seconds = static_cast<int>(rotate.wait.count());
};

/// Takes NAMESPACE/NAME, too, for the Service, which is in the namespace of the Secret:
/// WINADMIT_SERVICE has that form for other commands.
void split_service(cluster::ObjectNames& objects) {
  if (objects.service.find('/') == std::string::npos) {
    if (server::is_dns_label(objects.service)) return;
    throw std::invalid_argument("--service must be a DNS label, not '" + objects.service + "'");
  }
  const NamespacedName service = parse_namespaced_name("--service", objects.service);
  if (objects.name_space.empty()) objects.name_space = service.name_space;
  if (objects.name_space != service.name_space)
    throw std::invalid_argument("--service " + objects.service + " and --namespace " +
                                objects.name_space +
                                " differ: the Service and the Secret are in one namespace");
  objects.service = service.name;
}

int rotate(RotateFlags options) {
  cluster::ObjectNames objects = options.objects;
  if (objects.name_space.empty()) objects.name_space = cluster::in_cluster_namespace();
  split_service(objects);
  const cluster::ClientConfig config = options.cluster.load();
  if (objects.name_space.empty())
    throw std::invalid_argument("--namespace is required outside of a cluster");

  cluster::RotateOptions& wanted = options.rotate;
  wanted.names = certs::service_names(objects.name_space, objects.service);
  const certs::Names& more = options.issue.names;
  wanted.names.dns.insert(wanted.names.dns.end(), more.dns.begin(), more.dns.end());
  wanted.names.ips = more.ips;
  using std::chrono::seconds;
  wanted.lifetimes = {.ca = std::chrono::days(options.issue.ca_days),
                      .serving = std::chrono::days(options.issue.days)};
  wanted.settle = seconds(options.settle_seconds);
  wanted.wait = seconds(options.wait_seconds);
  wanted.sleep = [](seconds time) { std::this_thread::sleep_for(time); };
  wanted.report = [](const std::string& line) { std::cout << line << std::endl; };
  cluster::KubernetesCluster kubernetes{cluster::Client(config), objects};
  const std::string unfinished = cluster::rotate(kubernetes, wanted);
  if (unfinished.empty()) return kClean;
  std::cerr << "winadmit: not finished: " << unfinished << '\n';
  return kNegative;
}

void add_objects(CLI::App& command, cluster::ObjectNames& objects) {
  const auto name = [&](const char* flag, auto& to, const char* help) {
    return command.add_option(flag, to, help)->type_name("NAME");
  };
  name("--namespace", objects.name_space,
       "Namespace of the Secret and the Service (default: the pod's own)");
  name("--secret", objects.secret, "Secret with ca.crt, ca.key, tls.crt and tls.key")
      ->capture_default_str();
  name("--also-trust", objects.other_secret,
       "Another Secret, whose ca.crt the webhooks trust, too, while the source of certificates "
       "changes");
  name("--service", objects.service, "Service of the webhook")
      ->type_name("[NAMESPACE/]NAME")
      ->capture_default_str();
  name("--port-name", objects.port_name, "Name of the Service's port for the webhook")
      ->capture_default_str();
  take_list(name("--mutating", objects.mutating,
                 "MutatingWebhookConfiguration whose caBundle is managed; repeatable"));
  take_list(name("--validating", objects.validating,
                 "ValidatingWebhookConfiguration whose caBundle is managed; repeatable"));
}

}  // namespace

void add_certs_rotate(CLI::App& certs, int& exit_code) {
  auto options = std::make_shared<RotateFlags>();
  CLI::App* command = certs.add_subcommand("rotate",
                                           "Issue and renew the CA and the serving pair of a "
                                           "Secret, and update the caBundle of webhooks");
  options->cluster.add_to(*command);
  add_objects(*command, options->objects);
  options->issue.add_to(*command);
  command->add_flag("--force-ca", options->rotate.force_ca,
                    "Renew the CA and the serving pair now");
  command->add_flag("--force-pair", options->rotate.force_pair, "Renew the serving pair now");
  limit_to(
      command->add_option("--settle", options->settle_seconds,
                          "Time to wait until the API servers use a new caBundle, and before a "
                          "last look at the webhooks"),
      0, 3600)
      ->type_name("SECONDS")
      ->capture_default_str();
  limit_to(command->add_option("--wait", options->wait_seconds,
                               "Longest time to wait until every replica serves a new pair"),
           0, 86400)
      ->type_name("SECONDS")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = rotate(*options); });
}

}  // namespace winadmit::cli
