#include "certs/openssl.hpp"

#include <array>
#include <vector>

#include "bytes/digest.hpp"

namespace winadmit::certs {

std::string contents(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string_view contents(const ASN1_STRING* string) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
          static_cast<std::size_t>(ASN1_STRING_length(string))};
}

std::string group_name(const EVP_PKEY* key) {
  std::array<char, 64> name{};
  std::size_t size = 0;
  EVP_PKEY_get_group_name(key, name.data(), name.size(), &size);
  return {name.data(), size};
}

bool can_go_verify(const EVP_PKEY* key) {
  const int type = EVP_PKEY_get_base_id(key);
  if (type != EVP_PKEY_EC) return type == EVP_PKEY_RSA || type == EVP_PKEY_ED25519;
  const std::string name = group_name(key);
  return name == "secp224r1" || name == "prime256v1" || name == "secp384r1" || name == "secp521r1";
}

std::string number_to_hex(const BIGNUM* number) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, bytes.data());
  const std::string_view sign = BN_is_negative(number) == 1 ? "-" : "";
  return std::string(sign) += to_hex(bytes);
}

}  // namespace winadmit::certs
