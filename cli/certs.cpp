#include "cli/certs.hpp"

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {

void IssueOptions::add_to(CLI::App& command) {
  take_list(command.add_option("--dns", names.dns, "DNS name of the webhook; repeatable"))
      ->type_name("NAME");
  take_list(command.add_option("--ip", names.ips, "IP address of the webhook; repeatable"))
      ->type_name("ADDRESS");
  limit_to(command.add_option("--days", days, "Lifetime of the serving pair in days"), 1, 36500)
      ->type_name("N")
      ->capture_default_str();
  limit_to(command.add_option("--ca-days", ca_days, "Lifetime of the CA in days"), 1, 36500)
      ->type_name("N")
      ->capture_default_str();
}

void add_certs(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("certs", "Issue, show and rotate the CA and the serving pair");
  command->require_subcommand(1);
  add_certs_issue(*command, exit_code);
  add_certs_show(*command, exit_code);
  add_certs_rotate(*command, exit_code);
}

}  // namespace winadmit::cli
