#include "certs/openssl.hpp"

#include <openssl/err.h>

namespace winadmit::certs {

std::string openssl_reason() {
  // The oldest entry is nearest to the cause; the later ones are its callers.
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown reason";
  if (const char* reason = ERR_reason_error_string(code)) return reason;
  return "error " + std::to_string(code);
}

std::string contents(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace winadmit::certs
