// The steps from a body to its answer, each alone, by name: run by google-benchmark for time and
// under callgrind for instruction counts.
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

/// All steps, over the reviews in a folder that bodies.py has filled.
std::vector<Step> steps(const std::filesystem::path& bodies);

}  // namespace winadmit::bench
