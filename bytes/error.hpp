// The exception of files, certificates and calls of the cluster.
#pragma once

#include <stdexcept>

namespace winadmit {

/// The message is for the user. It names the file, the certificate or the object.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace winadmit
