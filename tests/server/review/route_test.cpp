#include "server/review/route.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

TEST(Route, IsFoundByItsExactPath) {
  for (const Route& route : kRoutes) EXPECT_EQ(find_route(route.path), &route) << route.path;
  for (const char* path : {"", "/", "mutate", "/mutate/", "/Mutate", "/validate/enforce"}) {
    EXPECT_EQ(find_route(path), nullptr) << path;
  }
}

TEST(Route, HasTheHookModeAndDefaultOsOfItsPath) {
  for (const Route& route : kRoutes) {
    SCOPED_TRACE(route.path);
    EXPECT_EQ(route.hook == Hook::mutate, route.path.starts_with("/mutate"));
    EXPECT_EQ(route.mode == Mode::warn, route.path.ends_with("/warn"));
    EXPECT_EQ(route.mode == Mode::audit, route.path.ends_with("/audit"));
    EXPECT_EQ(route.default_os == Os::windows, route.path.ends_with("/default-windows"));
    EXPECT_EQ(route.default_os == Os::linux, route.path.ends_with("/default-linux"));
  }
}

}  // namespace
}  // namespace winadmit::server
