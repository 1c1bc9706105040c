// OpenSSL's objects as owning pointers, and its numbers as text.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

namespace winadmit::certs {

template <auto Free>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using Bio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using BigNumber = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Digest = std::unique_ptr<EVP_MD, FreeWith<EVP_MD_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using SubjectAltNames = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;

/// What was written to a memory BIO.
std::string contents(BIO* bio);

/// The bytes of a string in a certificate, which it borrows from.
std::string_view contents(const ASN1_STRING* string);

/// The curve of an EC key, such as "prime256v1". Empty if it has no name.
std::string group_name(const EVP_PKEY* key);

/// Whether Go, and so an API server, verifies signatures by the key.
bool can_go_verify(const EVP_PKEY* key);

/// In lower case.
std::string number_to_hex(const BIGNUM* number);

}  // namespace winadmit::certs
