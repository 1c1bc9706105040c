#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "certs/pair.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/policy_options.hpp"
#include "cluster/client_config.hpp"
#include "manifests/yaml_writer.hpp"
#include "server/config/label_syntax.hpp"
#include "server/export/admission_policies.hpp"
#include "server/export/admission_rules.hpp"
#include "server/export/webhook_configurations.hpp"

namespace winadmit::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What both exports are made from.
struct ExportOptions {
  PolicyOptions policy;
  server::NamespaceModes modes;
  std::vector<std::string> exempt_namespaces;
  std::string default_os;
  Output output = Output::yaml;

  /// `mode`: the name of the flag for the mode.
  void add_to(CLI::App& command, const char* mode);

  /// The configuration with these namespaces and this default OS.
  server::Config load() const;
};

struct WebhookCommand : ExportOptions {
  server::WebhookClient client;
  std::string service = "winadmit-system/winadmit";
  std::string ca_bundle_file;
};

server::Config ExportOptions::load() const {
  server::Config config = policy.load();
  for (const std::string& each : exempt_namespaces) {
    if (!server::is_dns_label(each))
      throw std::invalid_argument("--exempt-namespace: '" + each +
                                  "' is not the name of a namespace");
    config.exempt.namespaces.push_back(each);
  }
  if (!default_os.empty()) config.default_os = default_os == "linux" ? Os::linux : Os::windows;
  return config;
}

void ExportOptions::add_to(CLI::App& command, const char* mode) {
  using enum server::Mode;
  policy.add_to(command);
  add_choice(command, mode, modes.default_mode, {enforce, warn, audit}, server::to_string,
             "Mode of namespaces without the label winadmit.dev/mode");
  command.add_flag("--opt-in", modes.opt_in,
                   "Select only namespaces with the label winadmit.dev/mode");
  command
      .add_option("--exempt-namespace", exempt_namespaces,
                  "Never select this namespace, as those of exempt.namespaces; may be repeated")
      ->type_name("NAMESPACE")
      ->allow_extra_args(false);
  limit_to(command.add_option("--default-os", default_os,
                              "OS of a pod that does not say it, in namespaces without the label "
                              "winadmit.dev/default-os (default: defaultOs of the configuration)"),
           {"linux", "windows"});
}

/// As YAML documents after a header of comments, or as a List in JSON.
void print(const std::vector<Json>& documents, Output output, const std::string& comments = {}) {
  if (output == Output::yaml) {
    std::cout << comments << manifests::to_yaml(documents);
  } else {
    std::cout << Json({{"apiVersion", "v1"}, {"kind", "List"}, {"items", documents}}).dump(2)
              << '\n';
  }
}

/// The URL without a slash at its end: a path follows.
std::string base_url(std::string url) {
  if (url.empty()) return url;
  cluster::parse_server_url(url);
  if (url.ends_with('/')) url.pop_back();
  return url;
}

/// Throws ConfigError if the release of the configuration is before `first`. `lack` says why.
void require_release(const server::Config& config, Version first, const std::string& lack) {
  if (config.policy.kubernetes >= first) return;
  throw server::ConfigError("Kubernetes " + to_string(config.policy.kubernetes) + ' ' + lack +
                            ": choose " + to_string(first) + " or later");
}

/// The certificates of a file, without a key that may be there, too: everybody can read the
/// configurations.
std::string read_ca_bundle(const std::string& file) {
  return certs::to_pem(certs::parse_certificates(certs::read_pem(file), file));
}

int export_webhook(const WebhookCommand& options) {
  server::WebhookClient client = options.client;
  client.modes = options.modes;
  client.url = base_url(client.url);
  const NamespacedName service = parse_namespaced_name("--service", options.service);
  client.name_space = service.name_space;
  client.service = service.name;
  if (!options.ca_bundle_file.empty()) client.ca_bundle = read_ca_bundle(options.ca_bundle_file);

  const server::Config config = options.load();
  require_release(config, server::kNamespaceNameVersion,
                  "does not set the label by which kube-system is left out, " +
                      std::string(server::kNamespaceNameLabel));
  const Json documents = server::webhook_configurations(config, client);
  print(documents.get_ref<const Json::array_t&>(), options.output);
  return kClean;
}

struct PolicyCommand : ExportOptions {
  std::string only;
  bool report = false;
};

/// Comments for whoever reads the export.
std::string header(const server::Config& config, const server::PolicyExport& exported) {
  const Version version = config.policy.kubernetes;
  std::string text =
      "# The policy of winadmit as admission policies of the API server, for Kubernetes " +
      to_string(version) + ".\n# Generated by `winadmit export policy`.\n";
  if (exported.mutating) {
    const auto api = server::mutating_policy_api(version);
    if (!api) {
      text += "# Kubernetes " + to_string(version) +
              " has no MutatingAdmissionPolicy: nothing places pods.\n";
    } else if (!api->turn_on.empty()) {
      text +=
          "# MutatingAdmissionPolicy is off by default in this release. The API server needs\n#  "
          " " +
          std::string(api->turn_on) + '\n';
    }
  }
  const auto gaps = server::policy_gaps(config);
  if (!gaps.empty()) text += "# The server of winadmit does more than these policies:\n";
  for (const server::PolicyGap& each : gaps) text += "#   " + each.what + ": " + each.why + '\n';
  return text;
}

int print_gaps(const server::Config& config, Output output) {
  const auto gaps = server::policy_gaps(config);
  if (output == Output::json) {
    Json all = Json::array();
    for (const server::PolicyGap& each : gaps) {
      all.push_back({{"what", each.what}, {"why", each.why}});
    }
    std::cout << all.dump(2) << '\n';
  } else {
    for (const server::PolicyGap& each : gaps) std::cout << each.what << ": " << each.why << '\n';
  }
  return kClean;
}

int export_policy(const PolicyCommand& options) {
  const server::PolicyExport exported = {.modes = options.modes,
                                         .validating = options.only != "mutating",
                                         .mutating = options.only != "validating"};
  const server::Config config = options.load();
  require_release(config, server::kValidatingPolicyVersion, "has no ValidatingAdmissionPolicy v1");
  if (options.only == "mutating")
    require_release(config, server::kMutatingPolicyVersion, "has no MutatingAdmissionPolicy");
  if (options.report) return print_gaps(config, options.output);
  print(server::admission_policies(config, exported), options.output, header(config, exported));
  return kClean;
}

void add_export_policy(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<PolicyCommand>();
  CLI::App* policy = command.add_subcommand(
      "policy",
      "Print the policy as ValidatingAdmissionPolicies and a MutatingAdmissionPolicy, in CEL");
  options->add_to(*policy, "--default-mode,--mode");
  limit_to(
      policy->add_option("--only", options->only, "Print one kind of policies (default: both)"),
      {"validating", "mutating"});
  policy->add_flag("--report", options->report,
                   "Print what the policies cannot say, by rule, and why, instead of the policies; "
                   "as text, or with -o json as JSON");
  const CLI::Option* const output =
      add_output(*policy, options->output, {Output::yaml, Output::json});
  policy->callback([options, output, &exit_code] {
    if (options->report && output->count() > 0 && options->output == Output::yaml)
      throw std::invalid_argument("--report prints text, or JSON with -o json, but no YAML");
    exit_code = export_policy(*options);
  });
}

void add_export_webhook(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<WebhookCommand>();
  CLI::App* webhook = command.add_subcommand(
      "webhook", "Print the webhook configurations for the API server, with matchConditions");
  options->add_to(*webhook, "--default-mode");
  webhook
      ->add_option("--service", options->service,
                   "Service through which the API server calls the webhook")
      ->type_name("NAMESPACE/NAME")
      ->capture_default_str();
  webhook
      ->add_option("--url", options->client.url,
                   "URL that the API server calls instead of the Service: https://HOST[:PORT]")
      ->type_name("URL");
  webhook
      ->add_option("--ca-bundle", options->ca_bundle_file, "CAs that the API server trusts (PEM)")
      ->type_name("FILE");
  limit_to(webhook->add_option("--timeout", options->client.timeout_seconds,
                               "How long the API server waits for an answer"),
           1, 30)
      ->type_name("SECONDS")
      ->capture_default_str();
  limit_to(webhook->add_option("--failure-policy", options->client.failure_policy,
                               "failurePolicy of the webhooks that refuse; others have Ignore"),
           {"Fail", "Ignore"})
      ->capture_default_str();
  add_output(*webhook, options->output, {Output::yaml, Output::json});
  webhook->callback([options, &exit_code] { exit_code = export_webhook(*options); });
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("export", "Print webhook configurations or admission policies");
  command->require_subcommand(1);
  add_export_policy(*command, exit_code);
  add_export_webhook(*command, exit_code);
}

}  // namespace winadmit::cli
