#include "certs/openssl.hpp"

#include <vector>

#include "bytes/digest.hpp"

namespace winadmit::certs {

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
