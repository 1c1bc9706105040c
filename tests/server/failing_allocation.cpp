#include "tests/server/failing_allocation.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> left{0};  // until an allocation fails; 0: none does
std::atomic<bool> failed{false};

bool fails_now() {
  std::size_t now = left.load(std::memory_order_relaxed);
  while (now > 0 && !left.compare_exchange_weak(now, now - 1)) {
  }
  if (now == 1) failed = true;
  return now == 1;
}

void* allocate(std::size_t size) {
  if (fails_now()) throw std::bad_alloc();
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

/// Asio allocates coroutines and operations by it.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  if (fails_now() || posix_memalign(&memory, alignment, size) != 0) return nullptr;
  return memory;
}

namespace winadmit::test {

FailingAllocation::FailingAllocation(std::size_t n) {
  failed = false;
  left = n;
}

FailingAllocation::~FailingAllocation() { left = 0; }

bool FailingAllocation::has_failed() { return failed; }

}  // namespace winadmit::test
