// The exception of certificates, keys and the files that hold them.
#pragma once

#include <stdexcept>

namespace winadmit::certs {

/// The message names the file, or the key of the Secret.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace winadmit::certs
