// Logs when exemptions of findings end.
#pragma once

#include <chrono>
#include <vector>

#include "admission/exemptions.hpp"

namespace winadmit::server {

class ExemptionEnds {
 public:
  explicit ExemptionEnds(const std::vector<FindingExemption>& exemptions);

  /// Logs each exemption that has ended, once. `today` is in UTC.
  void log(std::chrono::sys_days today);

  /// Whether one is still to end.
  bool are_pending() const { return !pending_.empty(); }

 private:
  std::vector<FindingExemption> pending_;
};

}  // namespace winadmit::server
