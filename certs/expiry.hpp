// Whether a served certificate is about to expire.
#pragma once

#include <chrono>
#include <string>

namespace winadmit::certs {

/// What to tell an operator about a certificate of these dates at `now`: that less than a fifth of
/// its lifetime is left, or that it has expired. Empty before. The text is
/// the same until the certificate expires, so that it can be logged once.
std::string expiry_warning(std::chrono::sys_seconds not_before, std::chrono::sys_seconds not_after,
                           std::chrono::sys_seconds now);

}  // namespace winadmit::certs
