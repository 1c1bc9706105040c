#include "bytes/openssl_reason.hpp"

#include <openssl/err.h>

namespace winadmit {

std::string openssl_reason() {
  // The first entry is the cause; the later ones are its callers.
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown reason";
  if (const char* reason = ERR_reason_error_string(code)) return reason;
  return "error " + std::to_string(code);
}

}  // namespace winadmit
