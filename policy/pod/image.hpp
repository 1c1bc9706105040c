// Container image references, and repositories that hold images for one OS only.
#pragma once

#include <span>
#include <string_view>

namespace winadmit {

struct Image {
  std::string_view repository;  // with the registry; without tag and digest
  std::string_view tag;         // "" without one
};

/// Parses registry:5000/team/app:1.2@sha256:... Text of another form is a repository.
Image parse_image(std::string_view reference);

/// Repositories with images for Windows only. An entry that ends with '/' stands for all below it.
std::span<const std::string_view> windows_only_repositories();

bool is_windows_only(const Image& image);

/// Words in a repository or a tag by which names_windows() knows an image for Windows.
std::span<const std::string_view> windows_words();

/// Whether the repository or the tag says that the image is for Windows, as
/// envoyproxy/envoy-windows and nanoserver:1809 do.
bool names_windows(const Image& image);

/// Stricter than names_windows(): the tag or the name of a base image says it, or the repository
/// has images for Windows only. In windows-exporter:2004 the number may be a version.
bool is_clearly_windows(const Image& image);

/// Whether its repository never had an image for Windows.
bool is_linux_only(const Image& image);

/// Whether a part of the tag, between "-", "_" and ".", is a word for Linux, such as alpine, and
/// nothing names Windows. Digits may follow the word. Before it the tag must have a version, as in
/// aspnet:8.0-jammy and golang:1.23-alpine3.20; or the tag begins with it, and nothing or a number
/// follows, as in alpine-3.20. Others may be names of branches, such as fix-noble.
bool has_linux_tag(const Image& image);

/// A container that an injector adds to pods, whatever their OS, and that exists for Linux only.
struct Sidecar {
  std::string_view name;        // of the sidecar: the name that the injector gives the container
  std::string_view repository;  // the last parts of the repository of its image
  std::string_view opt_out;     // how a pod gets none, in the imperative
  /// Whether the name alone says what the container is, so that its image may be a mirror.
  bool is_named_by_injector_only = true;
};

/// All that are known.
std::span<const Sidecar> linux_only_sidecars();

/// The sidecar that a container is, by its name or image; else null. An image with a Windows name
/// or tag is never one.
const Sidecar* find_linux_only_sidecar(std::string_view container_name, const Image& image);

}  // namespace winadmit
