#include "tests/bench/load/response.hpp"

#include <strings.h>

#include <charconv>

namespace winadmit::bench {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kEndOfLine = "\r\n";

/// The value of a header, empty if there is none. `name` includes the colon.
std::string_view header(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find(kEndOfLine); at != std::string_view::npos;
       at = head.find(kEndOfLine, at)) {
    at += kEndOfLine.size();
    const std::string_view line = head.substr(at, head.find(kEndOfLine, at) - at);
    if (line.size() > name.size() && strncasecmp(line.data(), name.data(), name.size()) == 0) {
      return line.substr(line.find_first_not_of(' ', name.size()));
    }
  }
  return {};
}

std::optional<std::size_t> number(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

/// The end of the chunked body that starts at `at`, nullopt if it is incomplete. Writes its content
/// to `scratch`.
std::optional<std::size_t> unchunk(std::string_view bytes, std::size_t at, std::string& scratch) {
  scratch.clear();
  for (;;) {
    const std::size_t line_end = bytes.find(kEndOfLine, at);
    if (line_end == std::string_view::npos) return std::nullopt;
    const auto size = number(bytes.substr(at, line_end - at), 16);
    if (!size) return std::nullopt;
    at = line_end + kEndOfLine.size();
    if (bytes.size() < at + *size + kEndOfLine.size()) return std::nullopt;
    scratch.append(bytes.substr(at, *size));
    at += *size + kEndOfLine.size();
    if (*size == 0) return at;
  }
}

/// Go, and so the API server, decodes bytes from base64 and from an array of numbers.
bool has_patch(simdjson::dom::element response) {
  std::string_view text;
  if (response["patch"].get(text) == simdjson::SUCCESS) return !text.empty();
  simdjson::dom::array bytes;
  return response["patch"].get(bytes) == simdjson::SUCCESS && bytes.size() > 0;
}

}  // namespace

std::optional<std::size_t> find_response(std::string_view bytes, std::string_view& head,
                                         std::string_view& body, std::string& scratch) {
  const std::size_t end = bytes.find(kEndOfHead);
  if (end == std::string_view::npos) return std::nullopt;
  head = bytes.substr(0, end + kEndOfLine.size());
  const std::size_t start = end + kEndOfHead.size();
  if (const auto length = number(header(head, "content-length:"), 10)) {
    if (bytes.size() < start + *length) return std::nullopt;
    body = bytes.substr(start, *length);
    return start + *length;
  }
  const auto stop = unchunk(bytes, start, scratch);
  if (stop) body = scratch;
  return stop;
}

std::string ResponseChecker::fault(std::string_view head, std::string_view body,
                                   std::string_view uid) {
  if (!head.starts_with("HTTP/1.1 200 ")) return "status line: " + std::string(head.substr(0, 40));

  simdjson::dom::element response;
  if (parser_.parse(body.data(), body.size())["response"].get(response) != simdjson::SUCCESS) {
    return "no response in: " + std::string(body.substr(0, 200));
  }
  const auto wrong = [&](const char* what) { return what + std::string(body.substr(0, 600)); };

  std::string_view got_uid;
  if (expected_.uid && (response["uid"].get(got_uid) != simdjson::SUCCESS || got_uid != uid)) {
    return wrong("another uid: ");
  }
  bool allowed = false;
  if (expected_.allowed &&
      (response["allowed"].get(allowed) != simdjson::SUCCESS || allowed != *expected_.allowed)) {
    return wrong("another verdict: ");
  }
  if (expected_.patch) {
    if (has_patch(response) != *expected_.patch) return wrong("patch: ");
  }
  if (expected_.causes > 0) {
    simdjson::dom::array causes;
    if (response["status"]["details"]["causes"].get(causes) != simdjson::SUCCESS ||
        causes.size() < expected_.causes) {
      return wrong("too few causes: ");
    }
  }
  if (!expected_.contains.empty() && body.find(expected_.contains) == std::string_view::npos) {
    return wrong("expected text missing: ");
  }
  return {};
}

}  // namespace winadmit::bench
