// The steps from a request body to its response, by name. bench_micro measures their time,
// bench_repeat runs them under callgrind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace winadmit::bench {

struct Step {
  std::string name;       // "validate/3.4KB-refused"
  std::size_t bytes = 0;  // of the review
  std::function<void()> run;
};

/// All steps, for the reviews that bodies.py has written into a folder.
std::vector<Step> steps(const std::filesystem::path& bodies);

}  // namespace winadmit::bench
