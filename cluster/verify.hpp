// Asks the API server for the verdict on two Windows pods, as dry runs: one that winadmit places,
// and one that it refuses. Nothing is stored. It needs the permission to create pods in the
// namespace, because RBAC does not know dry runs.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cluster/client.hpp"

namespace winadmit::cluster {

/// What the namespace does with the second pod: its label winadmit.dev/mode.
enum class Verdict { refused, warned };

struct VerifyOptions {
  std::string name_space = "default";
  Verdict verdict = Verdict::refused;

  /// How long to repeat it, at most, until the API server answers as expected; 0: ask once. Then
  /// only the timeout of the client limits a call.
  std::chrono::seconds wait{0};
  std::function<Deadline()> clock = std::chrono::steady_clock::now;
  std::function<void(std::chrono::seconds)> sleep;
  std::function<void(const std::string&)>
      report;  // called for each new reason to wait, and at the end
};

/// Returns "" when the API server has answered as expected three times in a row. Each call may
/// reach another API server, and they learn of a change one after the other. If the wait time ends
/// before that, returns the reason.
std::string verify(Client client, const VerifyOptions& options);

}  // namespace winadmit::cluster
