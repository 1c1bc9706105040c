// What the Secret of a self-managed winadmit holds, and the ways in which it changes: values to
// values. When each is due, and who has to have seen it first, is rotate's to know.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "certs/issue.hpp"

namespace winadmit::cluster {

struct Secret {
  std::string ca_crt;   // every trusted CA; the last one signs
  std::string ca_key;   // of the one that signs
  std::string tls_crt;  // what the replicas serve
  std::string tls_key;
  std::string version;  // opaque: as of when this was read; empty if there is no such Secret
};

struct Lifetimes {
  std::chrono::seconds ca = std::chrono::days(1825);
  std::chrono::seconds serving = std::chrono::days(90);
};

/// A Secret's text, parsed.
struct Keyring {
  std::vector<certs::Certificate> trusted;
  certs::Pair signing;
  std::optional<certs::Pair> serving;  // none if it is unreadable, which a new one mends
};

/// Throws certs::Error if the CAs or the key are unreadable, or do not fit each other.
Keyring read_keyring(const Secret& secret);

/// True of a Secret in which nothing is kept yet, such as one that manifests create to own it.
bool is_empty(const Secret& secret);

/// A first CA, trusted beside the CAs in `already_trusted` (PEM), and a serving pair signed by it.
Secret with_everything(Secret secret, const std::vector<std::string>& already_trusted,
                       const certs::Names& names, Lifetimes lifetimes,
                       std::chrono::sys_seconds now);

/// One more trusted CA, which signs from now on. The serving pair stays.
Secret with_new_ca(Secret secret, Lifetimes lifetimes, std::chrono::sys_seconds now);

/// Another serving pair, signed by the signing CA.
Secret with_new_serving(Secret secret, const certs::Names& names, Lifetimes lifetimes,
                        std::chrono::sys_seconds now);

/// The signing CA trusted alone.
Secret without_old_cas(Secret secret);

}  // namespace winadmit::cluster
