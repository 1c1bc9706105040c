// Helm charts and kustomizations as objects: rendered by helm and kubectl of the user, without
// network and without a change of the user's files.
#pragma once

#include <functional>

#include "cli/render/origin.hpp"
#include "cli/render/source_folder.hpp"
#include "manifests/document.hpp"
#include "manifests/location.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

/// Takes what a folder is rendered to.
struct RenderHandler {
  /// Gets the objects of a set before begin_set(): helm prints a RuntimeClass after its pods.
  std::function<void(const manifests::Manifest&)> announce = [](const manifests::Manifest&) {};
  /// Before the objects of a set of values. Lines are those of its rendered text.
  std::function<void()> begin_set = [] {};
  std::function<void(const manifests::Document&)> document = [](const manifests::Document&) {};
  /// The manifest has the name of the template or the base as its file.
  std::function<void(const manifests::Manifest&, const Origin&)> object;
  std::function<void(const manifests::FileError&)> error;
};

/// Renders a folder once for each of its sets.
void render(const SourceFolder& source, const RenderHandler& to, const manifests::Limits& limits);

}  // namespace winadmit::cli
