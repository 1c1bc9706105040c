#include "certs/expiry.hpp"

#include "certs/description.hpp"

namespace winadmit::certs {

std::string expiry_warning(std::chrono::sys_seconds not_before, std::chrono::sys_seconds not_after,
                           std::chrono::sys_seconds now) {
  // `certs rotate` and cert-manager renew when a third is left: a fifth is late for both, for
  // certificates of three days as for those of a year.
  constexpr int kPart = 5;
  if (now > not_after) return "the served certificate expired at " + to_string(not_after);
  if (not_after - now > (not_after - not_before) / kPart) return "";
  return "the served certificate expires at " + to_string(not_after) +
         ": less than a fifth of its lifetime is left";
}

}  // namespace winadmit::certs
