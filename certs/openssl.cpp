#include "certs/openssl.hpp"

#include <openssl/err.h>

#include <vector>

#include "bytes/digest.hpp"

namespace winadmit::certs {

std::string openssl_reason() {
  // The first entry is the cause; the later ones are its callers.
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

std::string number_to_hex(const BIGNUM* number) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, bytes.data());
  return to_hex(bytes);
}

}  // namespace winadmit::certs
