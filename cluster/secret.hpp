// The Secret that holds winadmit's CA and serving pair, and the changes that a rotation makes to
// it. The functions return the changed Secret; rotate decides which one to apply, and when.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "certs/issue.hpp"

namespace winadmit::cluster {

struct Secret {
  std::string ca_crt;   // every trusted CA; the last one signs
  std::string ca_key;   // of the CA that signs
  std::string tls_crt;  // served by the replicas
  std::string tls_key;
  std::string version;  // resourceVersion; empty if the Secret does not exist
};

struct Lifetimes {
  std::chrono::seconds ca = std::chrono::days(1825);
  std::chrono::seconds serving = std::chrono::days(90);
};

struct ParsedSecret {
  std::vector<certs::Certificate> trusted;
  certs::Pair signing;
  std::optional<certs::Pair> serving;  // none if it cannot be read: it is then issued again
};

/// Throws Error if the CAs or their key cannot be read, or do not belong together.
ParsedSecret parse_secret(const Secret& secret);

/// True if the Secret holds nothing yet, such as one that manifests create.
bool is_empty(const Secret& secret);

/// Trusts the CAs of `ca_bundles` (PEM), each once, too.
Secret trust(Secret secret, const std::vector<std::string>& ca_bundles);

/// Adds a trusted CA that signs from now on. The serving pair stays.
Secret add_ca(Secret secret, Lifetimes lifetimes, std::chrono::sys_seconds now);

/// Replaces the serving pair by one that the signing CA signs.
Secret renew_serving_pair(Secret secret, const certs::Names& names, Lifetimes lifetimes,
                          std::chrono::sys_seconds now);

/// Trusts the signing CA only.
Secret remove_old_cas(Secret secret);

}  // namespace winadmit::cluster
