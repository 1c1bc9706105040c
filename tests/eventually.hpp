// Waits for an event that only polling shows.
#pragma once

#include <chrono>
#include <thread>

namespace winadmit::test {

/// Returns whether the condition holds within ten seconds.
template <class Condition>
bool eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace winadmit::test
