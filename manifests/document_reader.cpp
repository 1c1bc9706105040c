#include "manifests/document_reader.hpp"

#include <algorithm>
#include <utility>

#include "manifests/characters.hpp"
#include "manifests/parse.hpp"
#include "manifests/parse_json.hpp"
#include "manifests/parse_yaml.hpp"
#include "manifests/utf8.hpp"

namespace winadmit::manifests {
namespace {

/// kubectl reads UTF-8: it cuts the bytes of UTF-16 in lines before YAML sees them
/// (k8s.io/apimachinery pkg/util/yaml, LineReader).
void check_encoding(std::string_view text) {
  if (has_utf16_mark(text)) throw ParseError(0, "is UTF-16; save the file as UTF-8");
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  if (bytes % kMebibyte == 0) return std::to_string(bytes / kMebibyte) + " MiB";
  return std::to_string(bytes) + " bytes";
}

}  // namespace

bool DocumentReader::fill() {
  if (is_end_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = buffer_.size();
  // One step instead of the last doublings, each of which has the old and the new text in memory.
  constexpr std::size_t kReadAhead = std::size_t{1} << 17U;
  if (before > limits_.document_size / 4) buffer_.reserve(limits_.document_size + kReadAhead);
  is_end_ = !input_.read_more(buffer_);
  // Text has no NUL. The parser reports it, and an endless device is not read to its end.
  if (const std::size_t nul = buffer_.find('\0', before); nul != std::string::npos) {
    buffer_.resize(nul + 1);
    is_end_ = true;
  }
  return buffer_.size() > before;
}

/// The size of the next part; kNone if it is larger than the limit.
std::size_t DocumentReader::find_yaml_end() {
  for (std::size_t line = 0;;) {
    while (ahead().size() - line < kSeparator.size() && fill()) {
    }
    if (line > 0 && ahead().substr(line).starts_with(kSeparator)) return line;
    std::size_t from = line;
    std::size_t line_end = kNone;
    while ((line_end = ahead().find('\n', from)) == kNone) {
      from = ahead().size();
      if (from > limits_.document_size) return kNone;
      if (!fill()) return from;
    }
    line = line_end + 1;
    if (line > limits_.document_size) return kNone;
  }
}

bool DocumentReader::is_json_next() {
  std::size_t first = kNone;
  while ((first = ahead().find_first_not_of(kSpace)) == kNone) {
    if (ahead().size() > limits_.document_size || !fill()) return false;
  }
  return ahead()[first] == '{';
}

/// The size up to the bracket that closes the first one; kNone if there is none within the limit.
std::size_t DocumentReader::find_json_end() {
  std::size_t depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i <= limits_.document_size; ++i) {
    while (i >= ahead().size()) {
      if (!fill()) return kNone;
    }
    const char c = buffer_[begin_ + i];
    if (is_string) {
      if (c == '"') is_string = false;
      if (c == '\\') ++i;
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return kNone;
}

void DocumentReader::advance(std::size_t size) {
  std::string_view text = ahead().substr(0, size);
  for (std::size_t end = 0; (end = text.find('\n')) != kNone;) {
    passed_ = {.lines = passed_.lines + 1};
    text.remove_prefix(end + 1);
  }
  passed_.bytes += text.size();
  passed_.code_points += count_code_points(text);
  begin_ += size;
}

std::shared_ptr<Document> DocumentReader::take(std::size_t size) {
  return std::make_shared<Document>(std::string(ahead().substr(0, size)), passed_);
}

/// False if the next value is not JSON.
bool DocumentReader::next_json(FilePart& part) {
  std::size_t size = find_json_end();
  if (size == kNone) return false;
  while (size == ahead().size() && fill()) {
  }
  size = std::min(ahead().find_first_not_of(kBlankOrReturn, size), ahead().size());
  if (size < ahead().size() && ahead()[size] == '\n') ++size;
  auto document = take(size);
  try {
    parse_json(*document, limits_);
  } catch (const LimitError& error) {
    part.error.emplace(error);
  } catch (const ParseError&) {
    return false;
  }
  advance(size);
  ++json_values_;
  part.document = std::move(document);
  return true;
}

void DocumentReader::skip_large(FilePart& part) {
  part.error.emplace(0, "the document is larger than " + size_text(limits_.document_size) +
                            limits_.hint("--max-document-size"));
  part.is_complete = false;
  part.document = std::make_shared<Document>(std::string(), passed_);
  for (;;) {
    const std::size_t line_end = ahead().find('\n');
    advance(line_end == kNone ? ahead().size() : line_end + 1);
    if (line_end == kNone && !fill()) return;
    if (line_end == kNone) continue;
    while (ahead().size() < kSeparator.size() && fill()) {
    }
    if (ahead().starts_with(kSeparator)) return;
  }
}

void DocumentReader::next_yaml(FilePart& part) {
  const std::size_t size = find_yaml_end();
  if (size == kNone) {
    is_passed_on_empty_ = false;
    skip_large(part);
    return;
  }
  auto document = take(size);
  advance(size);
  part.document = document;
  // kubectl passes a separator on if nothing is before it, as at the beginning of a file
  // (k8s.io/apimachinery pkg/util/yaml, YAMLReader.Read). "---# comment" is a text then.
  const bool is_separator_text = is_passed_on_empty_;
  is_passed_on_empty_ = !is_separator_text && separator_size(document->text()) == size;
  try {
    check_encoding(document->text());
    if (json_values_ > 0 && is_all_space(document->text())) return;
    // kubectl reads YAML after one JSON value at most. What follows several is read as JSON, for
    // its error.
    if (json_values_ > 1) {
      parse_json(*document, limits_);
    } else {
      parse(*document, limits_, {.may_be_json = false, .is_separator_text = is_separator_text});
    }
  } catch (const ParseError& error) {
    part.error.emplace(error);
  }
}

bool DocumentReader::next(FilePart& part) {
  part = {};
  if (ahead().empty() && !fill()) return false;
  may_be_json_ = may_be_json_ && is_json_next();
  if (may_be_json_ && next_json(part)) return true;
  may_be_json_ = false;
  next_yaml(part);
  return true;
}

}  // namespace winadmit::manifests
