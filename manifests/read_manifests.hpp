// Manifests as kubectl reads them: YAML documents, JSON and lists of objects, from files and
// standard input.
#pragma once

#include <functional>
#include <string>

#include "manifests/document.hpp"
#include "manifests/file_part.hpp"
#include "manifests/input.hpp"
#include "manifests/location.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::manifests {

/// Takes what a file holds, in the order of the file.
struct ManifestHandler {
  std::function<void(const Manifest&)> object;  // valid during the call
  std::function<void(const FileError&)> error;
  /// Before the objects of a document, also if it has none.
  std::function<void(const Document&)> document = {};
  /// A document that is no Kubernetes object, such as values.yaml of a chart. Not one that was
  /// meant as an object: an item of a list, or a document in which apiVersion or kind is misspelled
  /// or no text. Unset: an error.
  std::function<void(const Location&)> other = {};
  /// A template that is not rendered, and so cannot be read. Unset: an error.
  std::function<void(const Location&)> unrendered = {};
  /// A list without items, as kubectl get prints for an empty namespace.
  std::function<void()> empty_list = [] {};
};

/// Passes on all objects of a file, one document at a time. The items of a list are objects of
/// their own. A file that cannot be read is an error for `to`, too.
void read_manifests(const Source& source, const ManifestHandler& to, const Limits& limits = {});

/// The name of a file in locations: "pod.yaml" for ./pod.yaml, as CI compares names with those of
/// git.
std::string display_name(const std::string& file);

/// Passes on the objects of a part of a file, or its error, or the document as a template.
void read_part(const std::string& file, const FilePart& part, const ManifestHandler& to,
               const Limits& limits);

}  // namespace winadmit::manifests
