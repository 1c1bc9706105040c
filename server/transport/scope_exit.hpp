// std::experimental::scope_exit, which not every standard library has.
#pragma once

#include <utility>

namespace winadmit::server {

/// Calls a function at the end of a scope, also after an exception.
template <class Function>
class ScopeExit {
 public:
  explicit ScopeExit(Function function) : function_(std::move(function)) {}
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;
  ~ScopeExit() { function_(); }

 private:
  Function function_;
};

}  // namespace winadmit::server
