// What Go's crypto/x509, and so an API server, cannot parse or verify although OpenSSL serves it.
#pragma once

#include <openssl/x509.h>

#include <string>

namespace winadmit::certs {

/// What Go's ParseCertificate() or Verify() refuses in the certificate, such as "has a negative
/// serial number". Empty if there is nothing. After crypto/x509/parser.go of Go 1.26: names,
/// encodings, extensions and types of keys. Dates, usages and the strength of signatures are not
/// checked here.
std::string go_x509_fault(X509* certificate);

/// Throws Error if there is such a fault. `name` is that of the certificate.
void check_go_x509(const std::string& name, X509* certificate);

}  // namespace winadmit::certs
