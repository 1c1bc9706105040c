// The subcommand review: answers one review with the server's code, without a server.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/policy_options.hpp"
#include "manifests/input.hpp"
#include "server/handler/handler.hpp"
#include "server/review/route.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/limits.hpp"
#include "text/log_commands.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

struct ReviewOptions {
  PolicyOptions policy;
  std::string path = "/validate";
  std::string file = "-";
};

int review(const ReviewOptions& options) {
  server::set_up_logging(spdlog::level::off, server::LogFormat::text);
  const server::Config config = options.policy.load();
  const Policy policy(config.policy);
  server::Metrics metrics(to_string(config.policy.kubernetes));
  server::Handler handler(policy, config.exempt, metrics.add_thread());

  std::string body = manifests::open_input(options.file).read_all(server::HttpLimits{}.max_body);
  const std::size_t size = body.size();
  body.resize(size + simdjson::SIMDJSON_PADDING);
  const server::HttpReply& reply = handler.handle({.method = "POST",
                                                   .target = options.path,
                                                   .content_type = "application/json",
                                                   .body = std::string_view(body).substr(0, size)});
  if (reply.status != 200) {
    std::cerr << "winadmit: " << printable_lines(reply.text());
    return kError;
  }
  std::cout << escape_command_brackets(std::string(reply.text()), "\\u005b") << '\n';
  simdjson::dom::parser parser;
  return parser.parse(std::string(reply.text()))["response"]["allowed"].get_bool() ? kClean
                                                                                   : kNegative;
}

}  // namespace

void add_review(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command =
      app.add_subcommand("review", "Answer one AdmissionReview from a file as the server does");
  command->add_option("FILE", options->file,
                      "AdmissionReview with the request; - is standard input");
  std::vector<std::string> paths;
  paths.reserve(server::kRoutes.size());
  for (const server::Route& each : server::kRoutes) paths.emplace_back(each.path);
  limit_to(command->add_option("--path", options->path, "Webhook path"), paths)
      ->capture_default_str();
  options->policy.add_to(*command);
  command->callback([options, &exit_code] { exit_code = review(*options); });
}

}  // namespace winadmit::cli
