#include "manifests/read_manifests.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "manifests/document_reader.hpp"
#include "manifests/parse.hpp"
#include "manifests/to_json.hpp"
#include "text/json_pointer.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

namespace dom = simdjson::dom;

/// The nodes of the items of a list, in their order.
std::vector<NodeId> items_of(const Manifest& list) {
  std::vector<NodeId> items;
  const Document& document = *list.document;
  NodeId node = find_member(document, document.resolved(list.node), "items");
  if (node == kNoNode) return items;
  for (node = document[document.resolved(node)].first; node != kNoNode; node = document[node].next)
    items.push_back(node);
  return items;
}

/// Of apiVersion and kind.
bool lacks_both(dom::element object) {
  return object.is_object() && string_member(object, "kind").empty() &&
         string_member(object, "apiVersion").empty();
}

/// The API server leaves apiVersion and kind out of the items of a list of one kind, such as
/// PodList: they are those of the list.
void take_kind_of_list(dom::element list, Manifest& item) {
  constexpr std::string_view kSuffix = "List";
  std::string_view kind = string_member(list, "kind");
  if (kind.ends_with(kSuffix)) kind.remove_suffix(kSuffix.size());
  if (kind.empty() || !lacks_both(item.object)) return;
  auto object = nlohmann::ordered_json::parse(simdjson::minify(item.object));
  object["kind"] = kind;
  object["apiVersion"] = string_member(list, "apiVersion");
  item.json = std::make_shared<ParsedJson>(object.dump());
  item.object = item.json->document.root();
}

/// A group and a version, or a version alone (schema.ParseGroupVersion).
bool is_api_version(std::string_view text) { return std::ranges::count(text, '/') <= 1; }

/// "kind is missing"; empty if nothing is. A member must be a text, and not empty.
std::string missing_members(dom::element object) {
  const std::string_view version = string_member(object, "apiVersion");
  const bool has_version = !version.empty();
  const bool has_kind = !string_member(object, "kind").empty();
  if (has_version && has_kind)
    return is_api_version(version) ? "" : "apiVersion is not a group and a version";
  if (!has_version && !has_kind) return "apiVersion and kind are missing";
  return std::string(has_version ? "kind" : "apiVersion") + " is missing";
}

/// Whether a member without a text is there with another value, or in another letter case.
bool is_mistaken(dom::element object, std::string_view member) {
  return string_member(object, member).empty() &&
         std::ranges::any_of(object.get_object().value(), [&](const auto& each) {
           return equals_ignoring_case(each.key, member);
         });
}

/// kubectl takes the version of the core group for one without apiVersion, if it does not validate.
bool is_of_core_group(std::string_view kind) {
  return kind == "Pod" || kind == "PodTemplate" || kind == "ReplicationController";
}

bool has_object_as_item(dom::element object) {
  dom::array items;
  return object["items"].get(items) == simdjson::SUCCESS &&
         std::ranges::any_of(items,
                             [](dom::element each) { return missing_members(each).empty(); });
}

/// Whether a value without apiVersion or kind lacks it by mistake. YAML of other programs has only
/// one of them, too, such as the values of charts.
bool is_meant_as_object(dom::element object) {
  if (has_object_as_item(object) || is_of_core_group(string_member(object, "kind"))) return true;
  const auto has = [&](std::string_view key) { return object[key].error() == simdjson::SUCCESS; };
  if (!has("metadata") && !has("spec")) return false;
  const std::string_view version = string_member(object, "apiVersion");
  return version == "v1" || version == "apps/v1" || version == "batch/v1" ||
         !is_api_version(version) || is_mistaken(object, "apiVersion") ||
         is_mistaken(object, "kind");
}

void fail(const Manifest& manifest, const std::string& what, const ManifestHandler& to) {
  to.error({.what = what, .location = location_of(manifest)});
}

void add_item(const Manifest& item, const ManifestHandler& to) {
  if (item.object["items"].is_array())
    return fail(item, "a list in a list, which kubectl refuses", to);
  const std::string missing = missing_members(item.object);
  if (!missing.empty()) return fail(item, "not a Kubernetes object: " + missing, to);
  to.object(item);
}

void check_is_whole(const Manifest& list, const ManifestHandler& to) {
  std::string_view next;
  const bool is_part =
      list.object.at_pointer("/metadata/continue").get(next) == simdjson::SUCCESS && !next.empty();
  if (!is_part) return;
  to.error({.what = "this is one part of a list, and more follow: the API server was asked for a "
                    "limit; use kubectl get, which asks for all parts",
            .location = location_of(list, "/metadata/continue")});
}

/// Adds the items of a list one by one, as kubectl's flattening visitor does.
void add_items(const Manifest& list, dom::array items, const ManifestHandler& to) {
  const std::vector<NodeId> nodes = items_of(list);
  std::size_t index = 0;
  for (const dom::element each : items) {
    Manifest item = list;
    item.object = each;
    if (index < nodes.size()) item.node = nodes[index];
    item.pointer += "/items/" + std::to_string(index++);
    take_kind_of_list(list.object, item);
    add_item(item, to);
  }
  check_is_whole(list, to);
}

/// An object with items is a list for kubectl, whatever its kind, and has nothing else to create
/// (k8s.io/apimachinery pkg/apis/meta/v1/unstructured, decode).
void add(const Manifest& manifest, const ManifestHandler& to) {
  const dom::element object = manifest.object;
  if (object.is_null()) return;  // a document of comments only
  if (const std::string missing = missing_members(object); !missing.empty()) {
    if (to.other && !is_meant_as_object(object)) return to.other(location_of(manifest));
    return fail(manifest, "not a Kubernetes object: " + missing, to);
  }
  dom::element items;
  dom::array list;
  if (object["items"].get(items) != simdjson::SUCCESS) {
    to.object(manifest);
  } else if (items.get(list) == simdjson::SUCCESS) {
    if (list.size() == 0) to.empty_list();
    add_items(manifest, list, to);
  } else if (items.is_null()) {
    to.empty_list();
  } else {
    to.error({.what = "items must be a list: kubectl takes every object with items for one",
              .location = location_of(manifest, "/items")});
  }
}

void pass_error(const std::string& file, const Document& document, const ParseError& error,
                const ManifestHandler& to) {
  const Location location = location_at(file, document, error.offset);
  if (to.unrendered && error.is_template) return to.unrendered(location);
  to.error({.what = error.what(), .location = location});
}

Manifest as_manifest(const std::string& file, const std::shared_ptr<const Document>& document,
                     NodeId root, const std::shared_ptr<const ParsedJson>& json) {
  return {.file = file,
          .object = json->document.root(),
          .json = json,
          .document = document,
          .node = root,
          .root = root};
}

/// Passes each root to `add`.
template <typename Add>
void read_roots(const std::string& file, const std::shared_ptr<const Document>& document,
                const ManifestHandler& to, const Limits& limits, const Add& add) {
  if (to.document) to.document(*document);
  for (const NodeId root : document->roots()) {
    try {
      add(as_manifest(file, document, root,
                      std::make_shared<ParsedJson>(to_json_text(*document, root, limits))));
    } catch (const ParseError& error) {
      pass_error(file, *document, error, to);
    }
  }
}

/// In YAML, an item of a large list is the one entry of a list of its own.
void add_part(const ListHead& list, Manifest item, const ManifestHandler& to) {
  if (!item.document->is_json()) {
    item.object = item.object.at(0).value();
    item.node = (*item.document)[item.root].first;
    item.pointer = "/0";
  }
  const dom::element head = list.json->document.root();
  if (lacks_both(item.object) && !missing_members(head).empty()) {
    return fail(item,
                "not a Kubernetes object: apiVersion and kind are missing; those of a large list "
                "must be before its items (--max-document-size)",
                to);
  }
  take_kind_of_list(head, item);
  add_item(item, to);
}

/// The members of the outer object are before the items and behind them.
void check_list_end(const FilePart& part, const Manifest& head, const Manifest& end,
                    const ManifestHandler& to) {
  auto members = nlohmann::json::parse(head.json->text);
  for (const auto& [key, value] : dom::object(end.object)) {
    const std::string name(key);
    if (members.contains(name)) {
      to.error({.what = "duplicate key '" + name + "'",
                .location = location_of(end, '/' + escape_pointer_token(name))});
    }
    if (value.is_string()) members[name] = std::string_view(value);
  }
  const ParsedJson outer(members.dump());
  if (const std::string missing = missing_members(outer.document.root()); !missing.empty())
    to.error({.what = "not a Kubernetes object: " + missing, .location = location_of(head)});
  if (part.is_list_empty) to.empty_list();
  check_is_whole(head, to);
  check_is_whole(end, to);
}

void read_part_of_list(const std::string& file, const FilePart& part, const ManifestHandler& to,
                       const Limits& limits) {
  if (part.error) return pass_error(file, *part.document, *part.error, to);
  const auto take = [&](const Manifest& root) {
    if (part.kind == FilePart::Kind::list_item) return add_part(*part.list, root, to);
    const auto& head = part.list->document;
    check_list_end(part, as_manifest(file, head, head->roots().front(), part.list->json), root, to);
  };
  if (part.kind == FilePart::Kind::list_head) {
    if (to.document) to.document(*part.document);
    return;
  }
  if (part.kind == FilePart::Kind::list_end && part.document->roots().empty())
    take(as_manifest(file, part.document, kNoNode, std::make_shared<ParsedJson>("{}")));
  read_roots(file, part.document, to, limits, take);
}

}  // namespace

std::string display_name(const std::string& file) {
  return file == "-" ? "<stdin>" : std::filesystem::path(file).lexically_normal().string();
}

void read_part(const std::string& file, const FilePart& part, const ManifestHandler& to,
               const Limits& limits) {
  if (part.kind != FilePart::Kind::document) {
    ManifestHandler of_list = to;
    of_list.other = nullptr;  // an item was meant as an object
    read_part_of_list(file, part, of_list, limits);
  } else if (part.error) {
    pass_error(file, *part.document, *part.error, to);
  } else {
    read_roots(file, part.document, to, limits, [&](const Manifest& root) { add(root, to); });
  }
}

void read_manifests(const Source& source, const ManifestHandler& to, const Limits& limits) {
  const std::string name = display_name(source.name);
  try {
    DocumentReader reader(source.file, limits);
    for (FilePart part; reader.next(part);) read_part(name, part, to, limits);
  } catch (const std::exception& error) {
    to.error({.what = error.what(), .location = {.file = name}});
  }
}

}  // namespace winadmit::manifests
