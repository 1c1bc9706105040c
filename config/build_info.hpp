// The version of winadmit and of its compiler.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::server {

inline constexpr std::string_view kVersion = WINADMIT_VERSION;  // of the CMake project
#if defined(__clang__)
inline constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
inline constexpr std::string_view kCompiler = "gcc " __VERSION__;
#endif

/// The body of GET /version: a JSON object with version, compiler, oldestKubernetesVersion and
/// newestKubernetesVersion.
std::string version_json();

}  // namespace winadmit::server
