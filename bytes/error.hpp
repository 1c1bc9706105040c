// The exception for what the user can fix.
#pragma once

#include <stdexcept>

namespace winadmit {

/// The message is for the user. It names what is wrong, such as the file.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace winadmit
