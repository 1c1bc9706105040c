// Lets one allocation of this process fail. For executables that are linked with
// failing_allocation.cpp, which replaces operator new.
#pragma once

#include <cstddef>

namespace winadmit::test {

/// While it lives, the `n`-th allocation by operator new or aligned_alloc(), from 1, fails. The
/// allocations of all threads count.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t n);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether the last one has made an allocation fail.
  static bool has_failed();
};

/// Calls `step` for a failure of its first allocation, its second, and so on, until it has made
/// fewer. Calls `after` behind each, when no allocation fails.
template <class Step, class After>
void for_each_failure(Step step, After after) {
  std::size_t n = 0;
  do {
    {
      const FailingAllocation failing(++n);
      step();
    }
    after();
  } while (FailingAllocation::has_failed());
}

}  // namespace winadmit::test
