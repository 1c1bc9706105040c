// OpenSSL's objects as values that free themselves, and its error queue as text. Nothing else: what
// a certificate means is in pair, how one is made in issue.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace winadmit::certs {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using BigNumber = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using SubjectAltNames = std::unique_ptr<GENERAL_NAMES, Freed<GENERAL_NAMES_free>>;

/// Why the last call failed, in OpenSSL's words; empties the calling thread's error queue.
std::string openssl_reason();

/// What was written to a memory BIO.
std::string contents(BIO* bio);

}  // namespace winadmit::certs
