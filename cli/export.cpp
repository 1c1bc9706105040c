#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "certs/pair.hpp"
#include "cli/commands.hpp"
#include "cli/policy_options.hpp"
#include "manifests/yaml.hpp"
#include "server/config/webhook_configurations.hpp"

namespace winadmit::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class Output { yaml, json };

struct ExportOptions {
  PolicyOptions policy;
  server::WebhookClient client;
  std::string service = "winadmit-system/winadmit";
  std::string ca_bundle_file;
  Output output = Output::yaml;
};

int export_webhook(const ExportOptions& options) {
  server::WebhookClient client = options.client;
  const auto slash = options.service.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == options.service.size())
    throw std::invalid_argument("--service is of the form NAMESPACE/NAME");
  client.name_space = options.service.substr(0, slash);
  client.service = options.service.substr(slash + 1);
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
  static const std::map<std::string, Output> kOutputs = {{"yaml", Output::yaml},
                                                         {"json", Output::json}};
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Print what a cluster is to be told");
  command->require_subcommand(1);
  CLI::App* webhook = command->add_subcommand(
      "webhook", "The webhook configurations of the API server, matchConditions included");
  options->policy.add_to(*webhook);
  webhook->add_option("--service", options->service, "Through which the API server calls")
      ->envname("WINADMIT_SERVICE")
      ->type_name("NAMESPACE/NAME")
      ->capture_default_str();
  webhook->add_option("--url", options->client.url, "It calls this instead, without a path")
      ->envname("WINADMIT_URL")
      ->type_name("URL");
  webhook->add_option("--ca-bundle", options->ca_bundle_file, "Whom it trusts (PEM)")
      ->envname("WINADMIT_CA_BUNDLE")
      ->type_name("FILE");
  webhook->add_option("--timeout", options->client.timeout_seconds, "How long it waits")
      ->envname("WINADMIT_TIMEOUT")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 30))
      ->capture_default_str();
  webhook
      ->add_option("--failure-policy", options->client.failure_policy,
                   "Of what can refuse: Fail or Ignore; all else is Ignore")
      ->envname("WINADMIT_FAILURE_POLICY")
      ->check(CLI::IsMember({"Fail", "Ignore"}))
      ->capture_default_str();
  webhook->add_option("-o,--output", options->output, "yaml or json")
      ->transform(CLI::CheckedTransformer(kOutputs));
  webhook->callback([options, &exit_code] { exit_code = export_webhook(*options); });
}

}  // namespace winadmit::cli
