// OpenSSL's error queue as text.
#pragma once

#include <string>

namespace winadmit {

/// Why the last call failed, as OpenSSL words it. Clears the thread's error queue.
std::string openssl_reason();

}  // namespace winadmit
