#include "manifests/location.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "manifests/to_json.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::manifests {
namespace {

/// A node and, if it is a member, its key.
struct Place {
  NodeId node;
  NodeId key = kNoNode;
};

/// `entries`, if not null, is of the document.
Place find(const Document& document, NodeId node, const std::string& pointer,
           ListEntries* entries = nullptr) {
  Place place{node};
  for (const std::string& token : pointer_tokens(pointer)) {
    Place child{kNoNode};
    const NodeId parent = document.resolved(place.node);
    child.node = entries != nullptr ? entries->find_child(parent, token, &child.key)
                                    : find_child(document, parent, token, &child.key);
    if (child.node == kNoNode) break;
    place = child;
  }
  return place;
}

/// Where the underline of a place ends: with its value if that is in the line, else with its key.
std::size_t end_of(const Document& document, const Place& place, std::size_t line_end) {
  const std::size_t end = document[place.node].end;
  if (end <= line_end) return end;
  return place.key == kNoNode ? line_end : std::min<std::size_t>(document[place.key].end, line_end);
}

Location location_at(const Manifest& manifest, const Place& place) {
  const Document& document = *manifest.document;
  const std::size_t begin = document[place.key == kNoNode ? place.node : place.key].begin;
  Location location = location_at(manifest.file, document, begin);
  const std::string_view line = document.line_at(begin);
  const auto line_end =
      static_cast<std::size_t>(line.data() - document.text().data()) + line.size();
  const std::size_t end = std::max(begin, end_of(document, place, line_end));
  location.end_column = location.column + static_cast<int>(end - begin);
  return location;
}

}  // namespace

std::string to_string(const Location& location) {
  if (location.line == 0) return location.file;
  return location.file + ':' + std::to_string(location.line) + ':' +
         std::to_string(location.column);
}

Location location_at(const std::string& file, const Document& document, std::size_t offset) {
  const Position at = document.position(offset);
  const std::string_view line = document.line_at(offset);
  const bool has_text = line.size() <= kMaxLineLength && !document.is_line_cut(offset);
  return {.file = file,
          .line = at.line,
          .column = at.column,
          .text = has_text ? std::string(line) : std::string()};
}

Location location_of(const Manifest& manifest, const std::string& pointer) {
  if (!manifest.document || manifest.node == kNoNode) return {.file = manifest.file};
  return location_at(manifest, find(*manifest.document, manifest.node, pointer));
}

Locator::Locator(const Manifest& manifest) : manifest_(manifest) {
  if (manifest.document && manifest.node != kNoNode) entries_.emplace(*manifest.document);
}

Location Locator::at(const std::string& pointer) {
  if (!entries_) return {.file = manifest_.file};
  return location_at(manifest_, find(*manifest_.document, manifest_.node, pointer, &*entries_));
}

std::string to_string(const FileError& error) {
  if (error.location.line == 0) return error.what;
  return to_string(error.location) + ": " + error.what;
}

}  // namespace winadmit::manifests
