#include "config/label_syntax.hpp"

#include <gtest/gtest.h>

#include <string>

namespace winadmit::server {
namespace {

TEST(LabelSyntax, AcceptsValuesAsTheApiServerDoes) {
  for (const std::string& value : {std::string("Win1809"), std::string("10.0.20348"),
                                   std::string("a"), std::string(63, 'a')}) {
    EXPECT_TRUE(is_label_value(value)) << value;
  }
  for (const std::string& value : {std::string(), std::string("-a"), std::string("a."),
                                   std::string("a b"), std::string("a/b"), std::string(64, 'a')}) {
    EXPECT_FALSE(is_label_value(value)) << value;
  }
}

TEST(LabelSyntax, AcceptsKeysAsTheApiServerDoes) {
  for (const char* key : {"os", "kubernetes.io/os", "node.openshift.io/os_id", "a-b.c/D_e.f"}) {
    EXPECT_TRUE(is_label_key(key)) << key;
  }
  for (const char* key : {"", "/os", "kubernetes.io/", "a/b/c", "Kubernetes.io/os", "a_b/os",
                          "a..b/os", "a./os", ".a/os", "os="}) {
    EXPECT_FALSE(is_label_key(key)) << key;
  }
}

TEST(LabelSyntax, LimitsThePrefixOfAKey) {
  std::string prefix = "a";
  while (prefix.size() < 253) prefix += ".a";
  EXPECT_TRUE(is_label_key(prefix + "/b"));
  EXPECT_FALSE(is_label_key(prefix + "a/b"));
  // Its parts are no longer limited than that: IsDNS1123Subdomain.
  EXPECT_TRUE(is_label_key(std::string(64, 'a') + ".example/b"));
}

TEST(LabelSyntax, AcceptsNamesOfNamespacesAsTheApiServerDoes) {
  for (const std::string& name : {std::string("a"), std::string("team-1"), std::string(63, 'a')}) {
    EXPECT_TRUE(is_dns_label(name)) << name;
  }
  for (const std::string& name :
       {std::string(), std::string("Team"), std::string("a_b"), std::string("a.b"),
        std::string("no'quote"), std::string("-a"), std::string(64, 'a')}) {
    EXPECT_FALSE(is_dns_label(name)) << name;
  }
}

}  // namespace
}  // namespace winadmit::server
