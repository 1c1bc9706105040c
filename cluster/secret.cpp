#include "cluster/secret.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace winadmit::cluster {
namespace {

using std::chrono::sys_seconds;

void append_ca(Secret& secret, const std::string& ca) {
  if (!secret.ca_crt.empty() && !secret.ca_crt.ends_with('\n')) secret.ca_crt += '\n';
  secret.ca_crt += ca;
}

/// The certificates of a caBundle, each as PEM. An API server, too, goes on after a damaged one.
std::vector<std::string> readable_certificates(std::string_view bundle) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  std::vector<std::string> found;
  for (std::size_t at = bundle.find(kBegin); at != std::string_view::npos;) {
    const std::size_t next = bundle.find(kBegin, at + kBegin.size());
    try {
      const auto read = certs::parse_certificates(bundle.substr(at, next - at), "caBundle");
      for (const certs::Certificate& ca : read) found.push_back(certs::to_pem(ca.get()));
    } catch (const Error&) {  // damaged
    }
    at = next;
  }
  return found;
}

}  // namespace

ParsedSecret parse_secret(const Secret& secret) {
  ParsedSecret parsed{.trusted = certs::parse_certificates(secret.ca_crt, "ca.crt of the Secret"),
                      .signing = {},
                      .serving = {}};
  parsed.signing = certs::parse_pair(
      {.certificate = certs::to_pem(parsed.trusted.back().get()), .key = secret.ca_key},
      {.certificate = "the last CA in ca.crt of the Secret", .key = "ca.key of the Secret"});
  try {
    parsed.serving = certs::parse_pair({.certificate = secret.tls_crt, .key = secret.tls_key});
  } catch (const Error&) {
    parsed.serving.reset();
  }
  return parsed;
}

bool is_empty(const Secret& secret) {
  return secret.ca_crt.empty() && secret.ca_key.empty() && secret.tls_crt.empty() &&
         secret.tls_key.empty();
}

Secret trust(Secret secret, const std::vector<std::string>& ca_bundles) {
  std::set<std::string> added;
  for (const std::string& bundle : ca_bundles) {
    for (const std::string& ca : readable_certificates(bundle)) {
      if (added.insert(ca).second) append_ca(secret, ca);
    }
  }
  return secret;
}

Secret add_ca(Secret secret, Lifetimes lifetimes, sys_seconds now) {
  certs::Pem ca = certs::issue_ca(lifetimes.ca, now);
  append_ca(secret, ca.certificate);
  secret.ca_key = std::move(ca.key);
  return secret;
}

Secret renew_serving_pair(Secret secret, const certs::Names& names, Lifetimes lifetimes,
                          sys_seconds now) {
  const ParsedSecret parsed = parse_secret(secret);
  certs::Pem serving = certs::issue_serving(parsed.signing, names, lifetimes.serving, now);
  secret.tls_crt = std::move(serving.certificate);
  secret.tls_key = std::move(serving.key);
  return secret;
}

Secret remove_old_cas(Secret secret) {
  secret.ca_crt = certs::to_pem(parse_secret(secret).signing.leaf());
  return secret;
}

}  // namespace winadmit::cluster
