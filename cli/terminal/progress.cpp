#include "cli/terminal/progress.hpp"

#include <unistd.h>

#include <iostream>

#include "cli/terminal/terminal.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::chrono::seconds kFirst{1};
constexpr std::chrono::milliseconds kInterval{200};
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress()
    : is_shown_on_terminal_(is_terminal(STDERR_FILENO)), next_(Clock::now() + kFirst) {}

void Progress::add_object() {
  ++objects_;
  if (!is_shown_on_terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  std::cerr << kEraseLine << format_count(files_) << " files, " << format_count(objects_)
            << " objects" << std::flush;
  is_shown_ = true;
}

void Progress::clear() {
  if (!is_shown_) return;
  std::cerr << kEraseLine << std::flush;
  is_shown_ = false;
}

}  // namespace winadmit::cli
