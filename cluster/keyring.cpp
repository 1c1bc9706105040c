#include "cluster/keyring.hpp"

#include <set>
#include <utility>

namespace winadmit::cluster {
namespace {

using certs::Error;
using std::chrono::sys_seconds;

void trust(Secret& secret, const std::string& ca) {
  if (!secret.ca_crt.empty() && !secret.ca_crt.ends_with('\n')) secret.ca_crt += '\n';
  secret.ca_crt += ca;
}

}  // namespace

Keyring read_keyring(const Secret& secret) {
  Keyring keyring{.trusted = certs::parse_certificates(secret.ca_crt, "ca.crt of the Secret"),
                  .signing = {},
                  .serving = {}};
  keyring.signing = certs::parse_pair(
      {.certificate = certs::to_pem(keyring.trusted.back().get()), .key = secret.ca_key},
      {.certificate = "the last CA in ca.crt of the Secret", .key = "ca.key of the Secret"});
  try {
    keyring.serving = certs::parse_pair({.certificate = secret.tls_crt, .key = secret.tls_key});
  } catch (const Error&) {
    keyring.serving.reset();
  }
  return keyring;
}

bool is_empty(const Secret& secret) {
  return secret.ca_crt.empty() && secret.ca_key.empty() && secret.tls_crt.empty() &&
         secret.tls_key.empty();
}

Secret with_everything(Secret secret, const std::vector<std::string>& already_trusted,
                       const certs::Names& names, Lifetimes lifetimes, sys_seconds now) {
  std::set<std::string> seen;
  for (const std::string& bundle : already_trusted) {
    try {
      for (const certs::Certificate& ca : certs::parse_certificates(bundle, "caBundle"))
        if (std::string pem = certs::to_pem(ca.get()); seen.insert(pem).second) trust(secret, pem);
    } catch (const Error&) {
      continue;  // a placeholder: nobody was trusted by it
    }
  }
  return with_new_serving(with_new_ca(std::move(secret), lifetimes, now), names, lifetimes, now);
}

Secret with_new_ca(Secret secret, Lifetimes lifetimes, sys_seconds now) {
  certs::Pem ca = certs::issue_ca(lifetimes.ca, now);
  trust(secret, ca.certificate);
  secret.ca_key = std::move(ca.key);
  return secret;
}

Secret with_new_serving(Secret secret, const certs::Names& names, Lifetimes lifetimes,
                        sys_seconds now) {
  const Keyring keyring = read_keyring(secret);
  certs::Pem serving = certs::issue_serving(keyring.signing, names, lifetimes.serving, now);
  secret.tls_crt = std::move(serving.certificate);
  secret.tls_key = std::move(serving.key);
  return secret;
}

Secret without_old_cas(Secret secret) {
  secret.ca_crt = certs::to_pem(read_keyring(secret).signing.leaf());
  return secret;
}

}  // namespace winadmit::cluster
