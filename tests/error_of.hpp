// The message of an Error.
#pragma once

#include <string>

#include "bytes/error.hpp"

namespace winadmit::test {

/// Of the Error that `call` throws; "no error" if it throws none.
template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace winadmit::test
