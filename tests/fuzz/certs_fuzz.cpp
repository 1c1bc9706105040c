// Certificate and key files with arbitrary bytes: a file that cannot be used is an Error. The input
// is the text of both files, or the DER of a certificate, which mutations change more effectively
// than base64.
#include <openssl/pem.h>

#include "certs/serving.hpp"
#include "server/transport/tls_context.hpp"
#include "tests/fuzz/properties.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

constexpr std::chrono::sys_seconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 22);

template <class Try>
void expect_error_at_most(Try attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    require(!what.empty() && what.size() <= 16UL * 1024, "an error message is bounded");
  }
}

void check(const certs::Pair& pair) {
  (void)certs::describe(pair.leaf());
  (void)certs::to_pem(pair.leaf());
  (void)certs::warnings_about(pair, "tls.key");
  certs::check_serving(pair, kNow);
  (void)server::make_tls_context(pair, {});
}

std::string to_pem(std::string_view der) {
  const certs::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio(bio.get(), PEM_STRING_X509, "", reinterpret_cast<const unsigned char*>(der.data()),
                static_cast<long>(der.size()));
  return certs::contents(bio.get());
}

void check_pem(const std::string& pem) {
  check(certs::parse_pair({.certificate = pem, .key = pem}));
}

/// Uses the public key of the certificate as its key, so that further checks are reached.
void check_certificate(const std::string& pem) {
  certs::Pair pair{.chain = certs::parse_certificates(pem, "tls.crt"), .key = {}, .origin = {}};
  pair.key.reset(X509_get_pubkey(pair.leaf()));
  check(pair);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = text_of(data, size);
  if (input.starts_with('-')) {
    expect_error_at_most([&] { check_pem(std::string(input)); });
    expect_error_at_most([&] { check_certificate(std::string(input)); });
  } else {
    expect_error_at_most([&] { check_certificate(to_pem(input)); });
  }
  return 0;
}
