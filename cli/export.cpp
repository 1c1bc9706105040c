#include <iostream>
#include <memory>
#include <string>

#include "certs/files.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/policy_options.hpp"
#include "manifests/yaml_writer.hpp"
#include "server/config/webhook_configurations.hpp"

namespace winadmit::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExportOptions {
  PolicyOptions policy;
  server::WebhookClient client;
  std::string service = "winadmit-system/winadmit";
  std::string ca_bundle_file;
  Output output = Output::yaml;
};

int export_webhook(const ExportOptions& options) {
  server::WebhookClient client = options.client;
  const NamespacedName service = parse_namespaced_name("--service", options.service);
  client.name_space = service.name_space;
  client.service = service.name;
  if (!options.ca_bundle_file.empty()) client.ca_bundle = certs::read_file(options.ca_bundle_file);

  const Json documents = server::webhook_configurations(options.policy.load(), client);
  if (options.output == Output::yaml) {
    std::cout << manifests::to_yaml(documents.get_ref<const Json::array_t&>());
  } else {
    std::cout << Json({{"apiVersion", "v1"}, {"kind", "List"}, {"items", documents}}).dump(2)
              << '\n';
  }
  return kClean;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Print webhook configurations");
  command->require_subcommand(1);
  CLI::App* webhook = command->add_subcommand(
      "webhook", "Print the webhook configurations for the API server, with matchConditions");
  options->policy.add_to(*webhook);
  webhook
      ->add_option("--service", options->service,
                   "Service through which the API server calls the webhook")
      ->type_name("NAMESPACE/NAME")
      ->capture_default_str();
  webhook
      ->add_option("--url", options->client.url,
                   "URL without a path that the API server calls instead of the Service")
      ->type_name("URL");
  webhook
      ->add_option("--ca-bundle", options->ca_bundle_file, "CAs that the API server trusts (PEM)")
      ->type_name("FILE");
  webhook
      ->add_option("--timeout", options->client.timeout_seconds,
                   "How long the API server waits for an answer")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 30))
      ->capture_default_str();
  limit_to(webhook->add_option("--failure-policy", options->client.failure_policy,
                               "failurePolicy of the webhooks that refuse; others have Ignore"),
           {"Fail", "Ignore"})
      ->capture_default_str();
  limit_to(webhook->add_option("--default-mode", options->client.default_mode,
                               "Mode of namespaces without the label winadmit.dev/mode"),
           {"enforce", "warn", "audit"})
      ->capture_default_str();
  webhook->add_flag("--opt-in", options->client.opt_in,
                    "Select only namespaces with the label winadmit.dev/mode");
  add_output(*webhook, options->output, {Output::yaml, Output::json});
  webhook->callback([options, &exit_code] { exit_code = export_webhook(*options); });
}

}  // namespace winadmit::cli
