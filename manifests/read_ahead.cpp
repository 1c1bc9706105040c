#include "manifests/read_ahead.hpp"

#include "manifests/utf8.hpp"

namespace winadmit::manifests {

bool ReadAhead::fill() {
  if (is_end_) return false;
  if (mark_ == kNoMark) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  const std::size_t before = buffer_.size();
  // One step instead of the last doublings, each of which has the old and the new text in memory.
  constexpr std::size_t kBlock = std::size_t{1} << 17U;
  if (before > usual_most_ / 4) buffer_.reserve(usual_most_ + kBlock);
  is_end_ = !input_.read_more(buffer_);
  // Text has no NUL. The parser reports it, and an endless device is not read to its end.
  if (const std::size_t nul = buffer_.find('\0', before); nul != std::string::npos) {
    buffer_.resize(nul + 1);
    is_end_ = true;
  }
  return buffer_.size() > before;
}

std::shared_ptr<Document> ReadAhead::take(std::size_t size, std::size_t tail) const {
  return std::make_shared<Document>(std::string(text().substr(0, size)), passed_, tail);
}

void ReadAhead::advance(std::size_t size) {
  std::string_view text = this->text().substr(0, size);
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    passed_ = {.lines = passed_.lines + 1};
    text.remove_prefix(end + 1);
  }
  passed_.bytes += text.size();
  passed_.code_points += count_code_points(text);
  begin_ += size;
}

void ReadAhead::mark() {
  mark_ = begin_;
  passed_at_mark_ = passed_;
}

void ReadAhead::go_back() {
  begin_ = mark_;
  passed_ = passed_at_mark_;
  mark_ = kNoMark;
}

}  // namespace winadmit::manifests
