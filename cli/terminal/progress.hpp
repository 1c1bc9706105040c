// How far a long run is, on one line of the terminal. Nothing if standard error is not one, or if
// the run takes less than a second.
#pragma once

#include <chrono>
#include <cstddef>

namespace winadmit::cli {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void add_file() { ++files_; }
  void add_object();

  /// Before anything else is written to the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_shown_on_terminal_;
  Clock::time_point next_;
  std::size_t files_ = 0;
  std::size_t objects_ = 0;
  bool is_shown_ = false;
};

}  // namespace winadmit::cli
