// The webhook paths.
#pragma once

#include <array>
#include <string_view>

#include "policy/pod/os.hpp"

namespace winadmit::server {

enum class Hook { mutate, validate };
enum class Mode { enforce, warn, audit };
inline constexpr std::array<std::string_view, 3> kModeNames = {"enforce", "warn", "audit"};

struct Route {
  std::string_view path;
  Hook hook;
  Mode mode = Mode::enforce;
  Os default_os = Os::none;  // of a pod without a signal
};
inline constexpr std::array<Route, 12> kRoutes = {{
    {"/mutate", Hook::mutate},
    {"/mutate/default-windows", Hook::mutate, Mode::enforce, Os::windows},
    {"/mutate/default-linux", Hook::mutate, Mode::enforce, Os::linux},
    {"/mutate/audit/default-windows", Hook::mutate, Mode::audit, Os::windows},
    {"/mutate/audit/default-linux", Hook::mutate, Mode::audit, Os::linux},
    {"/validate", Hook::validate},
    {"/validate/default-windows", Hook::validate, Mode::enforce, Os::windows},
    {"/validate/default-linux", Hook::validate, Mode::enforce, Os::linux},
    {"/validate/warn", Hook::validate, Mode::warn},
    {"/validate/warn/default-windows", Hook::validate, Mode::warn, Os::windows},
    {"/validate/audit", Hook::validate, Mode::audit},
    {"/validate/audit/default-windows", Hook::validate, Mode::audit, Os::windows},
}};

/// The route of a path without a query, or null.
const Route* find_route(std::string_view path);

}  // namespace winadmit::server
