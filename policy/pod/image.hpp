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

/// The name of the Linux-only sidecar that a container is, by its name or image; else "". An image
/// with a Windows tag is never one.
std::string_view find_linux_only_sidecar(std::string_view container_name, const Image& image);

}  // namespace winadmit
