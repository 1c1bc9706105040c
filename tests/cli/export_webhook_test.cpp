// `winadmit export webhook`: the flags that say how the API server calls the webhook.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using nlohmann::json;

class ExportWebhook : public test::Binary {
 protected:
  json first_client_config(const std::string& flags) const {
    const json list = json::parse(run("export webhook -o json " + flags).out);
    return list["items"][0]["webhooks"][0]["clientConfig"];
  }

  void expect_refused(const std::string& flags) const {
    SCOPED_TRACE(flags);
    const test::Result refused = run("export webhook " + flags);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
};

TEST_F(ExportWebhook, CallsAServiceByItsNamespaceAndName) {
  const json service = first_client_config("--service team-a/hook")["service"];
  EXPECT_EQ(service["namespace"], "team-a");
  EXPECT_EQ(service["name"], "hook");
  for (const char* service_name : {"a/b/c", "a", "A/b", "a/b.c"})
    expect_refused(std::string("--service ") + service_name);
}

TEST_F(ExportWebhook, RefusesReleasesThatDoNotNameNamespacesByALabel) {
  EXPECT_EQ(run("export webhook --kubernetes-version 1.20").err,
            "winadmit: Kubernetes 1.20 does not set the label by which kube-system is left out, "
            "kubernetes.io/metadata.name: choose 1.21 or later\n");
  expect_refused("--kubernetes-version 1.14");
  EXPECT_EQ(run("export webhook --kubernetes-version 1.21").exit_code, 0);
}

TEST_F(ExportWebhook, AppendsPathsToAUrl) {
  for (const char* url : {"https://x.y", "https://x.y/"})
    EXPECT_EQ(first_client_config(std::string("--url ") + url)["url"], "https://x.y/mutate") << url;
  EXPECT_EQ(first_client_config("--url https://[fd00::1]:8443")["url"],
            "https://[fd00::1]:8443/mutate");
  for (const char* url : {"foo", "http://x.y", "https://", "https://x.y?a=b", "https://x.y#a",
                          "https://x.y//", "https://x.y/a"})
    expect_refused(std::string("--url '") + url + '\'');
}

TEST_F(ExportWebhook, PublishesTheCertificatesOfACaBundleAndNoKey) {
  const std::string folder = folder_.path().string();
  ASSERT_EQ(run("certs issue --dns a.example --out " + folder).exit_code, 0);
  const std::string ca = test::read(folder_ / "ca.crt");
  const std::string both = write("both.pem", test::read(folder_ / "ca.key") + ca);
  for (const std::string& file : {folder + "/ca.crt", both})
    EXPECT_EQ(first_client_config("--ca-bundle " + file)["caBundle"],
              first_client_config("--ca-bundle " + folder + "/ca.crt")["caBundle"])
        << file;
  expect_refused("--ca-bundle " + folder + "/ca.key");
  expect_refused("--ca-bundle " + write("text", "no PEM"));
}

}  // namespace
}  // namespace winadmit
