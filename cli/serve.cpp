#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/serve_options.hpp"
#include "config/release.hpp"
#include "server/telemetry/log.hpp"
#include "server/transport/endpoint.hpp"

namespace winadmit::cli {
namespace {

/// Commands to paste: each sends a file of the repository.
void print_samples(const server::Tcp::endpoint& endpoint, const server::Tcp::endpoint& admin) {
  const std::string url = "https://localhost:" + std::to_string(endpoint.port());
  const auto line = [&](const char* what, const char* path, const char* file) {
    std::cout << "\n# " << what
              << "\ncurl -sk -H 'Content-Type: application/json' --data-binary @samples/" << file
              << ' ' << url << path << '\n';
  };
  std::cout << "winadmit serves on " << url << ", metrics on http://localhost:" << admin.port()
            << "/metrics; Ctrl-C ends it. Try, in another terminal:\n";
  line("a Windows pod is placed: a patch adds nodeSelector and toleration", "/mutate",
       "windows-pod.json");
  line("a Windows pod is refused, with all reasons", "/validate", "unsupported-windows-pod.json");
  std::cout << '\n' << std::flush;
}

int serve(const ServeOptions& flags) {
  const server::Options options = flags.load();
  server::set_up_logging(spdlog::level::from_str(flags.log_level),
                         flags.logs_text() ? server::LogFormat::text : server::LogFormat::json);
  const std::string note = server::newer_release_note(options.config.named_release());
  if (!note.empty()) server::LogLine(spdlog::level::warn, note);
  server::serve(
      options, [&](const server::Tcp::endpoint& endpoint, const server::Tcp::endpoint& admin) {
        if (options.certificate.is_self_signed) print_samples(endpoint, admin);
        server::LogLine(spdlog::level::info, "serving")
            .with("listen", server::to_string(endpoint))
            .with("admin_listen", server::to_string(admin))
            .with("kubernetes_version", winadmit::to_string(options.config.policy.kubernetes))
            .with("platform", options.config.platform->id);
        server::flush_log();
      });
  return kClean;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app.add_subcommand("serve", "Serve the webhook");
  options->add_to(*command);
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace winadmit::cli
