#include "cli/certs.hpp"

#include "cli/commands.hpp"

namespace winadmit::cli {

void IssueOptions::add_to(CLI::App& command) {
  command.add_option("--dns", names.dns, "A DNS name by which the webhook is called; repeatable")
      ->type_name("NAME")
      ->delimiter(',');
  command.add_option("--ip", names.ips, "An IP address by which it is called; repeatable")
      ->type_name("ADDRESS")
      ->delimiter(',');
  command.add_option("--days", days, "Lifetime of the serving pair")
      ->type_name("N")
      ->check(CLI::Range(1, 36500))
      ->capture_default_str();
  command.add_option("--ca-days", ca_days, "Lifetime of the CA")
      ->type_name("N")
      ->check(CLI::Range(1, 36500))
      ->capture_default_str();
}

void add_certs(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "certs", "Make a CA and a serving pair, tell what a pair holds, rotate them in a cluster");
  command->require_subcommand(1);
  add_certs_issue(*command, exit_code);
  add_certs_show(*command, exit_code);
  add_certs_rotate(*command, exit_code);
}

}  // namespace winadmit::cli
