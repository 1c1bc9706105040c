// Splits a file into its documents, as kubectl does, and parses one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "manifests/document.hpp"
#include "manifests/file_part.hpp"
#include "manifests/list_reader.hpp"
#include "manifests/read_ahead.hpp"

namespace winadmit::manifests {

/// Reads YAML documents separated by lines that begin with "---", and JSON values one after the
/// other. Keeps at most `limits.document_size` bytes, and some that are read ahead. A list that is
/// large is read item by item: the limits are for an item, then.
class DocumentReader {
 public:
  /// Throws std::runtime_error if the file cannot be opened.
  DocumentReader(const std::string& file, const Limits& limits)
      : text_(file, limits.document_size), limits_(limits) {}

  /// False at the end. Throws std::runtime_error if reading fails.
  bool next(FilePart& part);

 private:
  static constexpr std::size_t kNone = std::string::npos;

  std::string_view ahead() const { return text_.text(); }
  std::size_t find_yaml_end();
  std::size_t find_json_end();
  bool is_json_next();
  bool next_json(FilePart& part);
  void next_yaml(FilePart& part);
  bool begin_list(std::size_t size, ParseOptions options);
  bool can_read_all(ListReader list);
  void next_of_list(FilePart& part);
  void skip_large(FilePart& part);
  void skip_to_separator();

  ReadAhead text_;
  Limits limits_;
  std::optional<ListReader> list_;  // that is being read
  bool may_be_json_ = true;         // so far
  bool is_passed_on_empty_ = true;  // what was read since the last separator that ended a document
  int json_values_ = 0;
};

}  // namespace winadmit::manifests
