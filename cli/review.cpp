// The subcommand review: answers one review with the server's code, without a server.
#include <fmt/format.h>
#include <simdjson.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "admission/answer.hpp"
#include "admission/route.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/policy_options.hpp"
#include "manifests/input.hpp"
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
  const server::Config config = options.policy.load();
  const Policy policy(config.policy);
  std::string body = manifests::open_input(options.file).read_all(server::kMaxReviewSize);
  const std::size_t size = body.size();
  body.resize(size + simdjson::SIMDJSON_PADDING);

  simdjson::dom::parser parser;
  fmt::memory_buffer reply;
  const server::Answer answer =
      server::answer_review(parser, std::string_view(body).substr(0, size),
                            *server::find_route(options.path), policy, config.exempt, reply);
  if (!answer.is_response) {
    std::cerr << "winadmit: " << printable_lines(answer.admission.bad_request->message) << '\n';
    return kError;
  }
  std::cout << escape_command_brackets(to_string(reply), "\\u005b") << '\n';
  return answer.admission.response.allowed ? kClean : kNegative;
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
