// The text of a file, as far as it is read and not passed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "manifests/document.hpp"
#include "manifests/input.hpp"

namespace winadmit::manifests {

class ReadAhead {
 public:
  /// `usual_most`: how much is read ahead at most, but for a block. Throws std::runtime_error if
  /// the file cannot be opened.
  ReadAhead(const std::string& file, std::size_t usual_most)
      : input_(open_input(file)), usual_most_(usual_most) {}

  std::string_view text() const { return std::string_view(buffer_).substr(begin_); }

  /// Reads more. False at the end of the file. Throws std::runtime_error if reading fails.
  bool fill();
  bool is_end() const { return is_end_; }

  /// The next bytes as a document, which are not passed. `tail` as of Document.
  std::shared_ptr<Document> take(std::size_t size, std::size_t tail = 0) const;
  void advance(std::size_t size);

  /// What is passed from here on is kept, so that go_back() leads here.
  void mark();
  void go_back();

 private:
  static constexpr std::size_t kNoMark = std::string::npos;

  InputFile input_;
  std::size_t usual_most_;
  std::string buffer_;
  std::size_t begin_ = 0;  // what is before was passed
  TextStart passed_;       // what is before
  bool is_end_ = false;
  std::size_t mark_ = kNoMark;  // where begin_ was
  TextStart passed_at_mark_;
};

}  // namespace winadmit::manifests
