#include "policy/rules/read_annotations.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(ReadAnnotations, AreThoseOfTheRulesAndThoseReadByName) {
  for (const char* key : {"seccomp.security.alpha.kubernetes.io/pod",
                          "container.apparmor.security.beta.kubernetes.io/c",
                          "c.container.alpha.windows.kubernetes.io/gmsa-credential-spec",
                          "kubernetes.io/config.mirror", "microsoft.com/hostprocess-inherit-user",
                          "winadmit.dev/ignore"}) {
    EXPECT_TRUE(is_judged_annotation(key)) << key;
  }
  for (const char* key :
       {"cni.projectcalico.org/podIP", "controller.kubernetes.io/pod-deletion-cost",
        "kubectl.kubernetes.io/last-applied-configuration", "winadmit.dev/ignored", ""}) {
    EXPECT_FALSE(is_judged_annotation(key)) << key;
  }
}

}  // namespace
}  // namespace winadmit
