// Runs a step a number of times under a profiler: bench_repeat STEP TIMES. Without arguments it
// prints the names of the steps.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/bench/micro/steps.hpp"

int main(int count, char** words) {
  const char* bodies = std::getenv("WINADMIT_BENCH_BODIES");
  const auto steps = winadmit::bench::steps(bodies != nullptr ? bodies : "build/bench/bodies");
  if (count != 3) {
    for (const auto& step : steps) std::puts(step.name.c_str());
    return 0;
  }
  for (const auto& step : steps) {
    if (step.name != std::string_view(words[1])) continue;
    for (long i = std::atol(words[2]); i > 0; --i) step.run();
    return 0;
  }
  std::fprintf(stderr, "no step '%s'\n", words[1]);
  return 2;
}
