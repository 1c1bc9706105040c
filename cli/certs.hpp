// The subcommands of `winadmit certs`, and the options that they share.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "certs/issue.hpp"

namespace winadmit::cli {

void add_certs_issue(CLI::App& certs, int& exit_code);
void add_certs_show(CLI::App& certs, int& exit_code);
void add_certs_rotate(CLI::App& certs, int& exit_code);

/// --dns, --ip, --days, --ca-days.
struct IssueOptions {
  certs::Names names;
  int days;
  int ca_days;

  void add_to(CLI::App& command);
};

}  // namespace winadmit::cli
