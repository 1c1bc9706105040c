// Splits a file into its documents, as kubectl does, and parses one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "manifests/document.hpp"
#include "manifests/input.hpp"

namespace winadmit::manifests {

/// A part of a file: a document with the "---" line before it. The texts of all parts are the text
/// of the file, unless a part is too large.
struct FilePart {
  std::shared_ptr<const Document> document;  // without values if there is an error
  std::optional<ParseError> error;
  bool is_complete = true;  // false if the text is too large to be kept
};

/// Reads YAML documents separated by lines that begin with "---", and JSON values one after the
/// other. Keeps at most `limits.document_size` bytes, and some that are read ahead.
class DocumentReader {
 public:
  /// Throws std::runtime_error if the file cannot be opened.
  DocumentReader(const std::string& file, const Limits& limits)
      : input_(open_input(file)), limits_(limits) {}

  /// False at the end. Throws std::runtime_error if reading fails.
  bool next(FilePart& part);

 private:
  static constexpr std::size_t kNone = std::string::npos;

  std::string_view ahead() const { return std::string_view(buffer_).substr(begin_); }
  bool fill();
  std::size_t find_yaml_end();
  std::size_t find_json_end();
  bool is_json_next();
  bool next_json(FilePart& part);
  void next_yaml(FilePart& part);
  std::shared_ptr<Document> take(std::size_t size);
  void advance(std::size_t size);
  void skip_large(FilePart& part);

  InputFile input_;
  Limits limits_;
  std::string buffer_;
  std::size_t begin_ = 0;  // what is before was passed on
  TextStart passed_;       // what is before
  bool is_end_ = false;
  bool may_be_json_ = true;         // so far
  bool is_passed_on_empty_ = true;  // what was read since the last separator that ended a document
  int json_values_ = 0;
};

}  // namespace winadmit::manifests
