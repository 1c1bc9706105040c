// What `winadmit check` and `winadmit fix` report about one field of one object.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/judge/object_name.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

/// A range of a file that a fix replaces by a text. Columns count code points.
struct Replacement {
  manifests::Position begin;
  manifests::Position end;  // after the range
  std::string text = {};
};

struct ManifestFinding {
  manifests::Location location;
  ObjectName object;
  std::string source_file = {};  // another file that the object comes from, or ""
  std::vector<std::string> sets =
      {};                             // of values that a chart was rendered with, if it has several
  bool is_denial = false;             // or a warning
  std::string field = {};             // empty if the finding is about the whole object
  std::string pointer = {};           // to the field in the document: a JSON Pointer
  std::string named_pointer = {};     // the same with the names of list entries
  std::string reason = {};            // what is wrong
  std::string instead = {};           // what to do, or ""
  std::string rule = {};              // its id
  std::string source = {};            // of a rule: that of the row that was broken
  std::vector<Replacement> fix = {};  // the edits that fix it; empty if that is not known
  std::string fingerprint = {};       // the same in every run, wherever in the file the object is

  /// "Pod web", or "Pod web (FILE; SET, SET)" with the file and the sets that it comes from.
  std::string subject() const;

  /// "cannot be set for a windows pod: ...; use ...": the reason and what to do.
  std::string message() const;
};

/// The parts that are not empty, with ": " between them.
std::string join_parts(std::initializer_list<std::string_view> parts);

/// "Pod web: spec.hostPID: cannot be set ...": the subject, the field and the message.
std::string headline(const ManifestFinding& finding);

/// "FILE:3:5: error: Pod web: spec.hostPID: cannot be set ... (host-pid)", on one line whatever the
/// texts hold.
std::string to_string(const ManifestFinding& finding);

/// The first URL of the source of a rule or an advice; "" without one.
std::string first_url(std::string_view source);

/// Where the finding is explained; "" if no URL is known.
std::string source_url(const ManifestFinding& finding);

/// With the members file, line, column, endColumn, sourceFile, sets, object, namespace, name, kind,
/// action, field, message, rule and source, without those that are not known.
nlohmann::ordered_json to_json(const ManifestFinding& finding);

}  // namespace winadmit::cli
