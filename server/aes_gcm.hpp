// AES-GCM by Intel's ipsec-mb, for TLS by OpenSSL 3.0.
#pragma once

namespace winadmit::server {

/// What a TLS context is made with so that its sessions encrypt by ipsec-mb, which does it in a
/// fifth of OpenSSL 3.0's time on processors with VAES; all else stays OpenSSL's. Null where this
/// build or this processor has none of it: then that is OpenSSL's, too. The first call tells
/// OpenSSL of it.
const char* aes_gcm_properties();

}  // namespace winadmit::server
