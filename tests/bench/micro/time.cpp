// Time and bytes per second of each step: bench_micro [--benchmark_filter=...].
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "tests/bench/micro/steps.hpp"

int main(int count, char** words) {
  const char* bodies = std::getenv("WINADMIT_BENCH_BODIES");
  for (auto& step : winadmit::bench::steps(bodies != nullptr ? bodies : "build/bench/bodies")) {
    benchmark::RegisterBenchmark(step.name.c_str(), [step](benchmark::State& state) {
      for (auto _ : state) step.run();
      state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(step.bytes));
    });
  }
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
