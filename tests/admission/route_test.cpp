#include "admission/route.hpp"

#include <gtest/gtest.h>

#include "tests/text.hpp"

namespace winadmit::server {
namespace {

using test::contains;

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
    EXPECT_EQ(route.mode == Mode::warn, contains(route.path, "/warn"));
    EXPECT_EQ(route.mode == Mode::audit, contains(route.path, "/audit"));
    EXPECT_EQ(route.default_os == Os::windows, route.path.ends_with("/default-windows"));
    EXPECT_EQ(route.default_os == Os::linux, route.path.ends_with("/default-linux"));
  }
}

}  // namespace
}  // namespace winadmit::server
