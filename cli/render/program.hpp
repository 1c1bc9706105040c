// Runs another program without a shell, and takes what it prints.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bytes/error.hpp"

namespace winadmit::cli {

/// It is not in PATH.
class MissingProgram : public Error {
 public:
  using Error::Error;
};

/// Standard output of a program that ends with 0. `arguments` begin with its name, which is looked
/// for in PATH; `environment` has entries NAME=VALUE that replace those of the user. Throws
/// MissingProgram; and Error with its standard error if it fails, if it runs longer than `most`, or
/// prints more than a file may hold.
std::string run_program(std::vector<std::string> arguments,
                        const std::vector<std::string>& environment, std::chrono::seconds most);

}  // namespace winadmit::cli
