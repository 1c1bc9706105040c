// `winadmit serve`, as far as it does not serve.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using test::Result;

class ServeCommand : public test::Binary {};

TEST_F(ServeCommand, RefusesContradictoryAndUnknownFlags) {
  for (const char* arguments :
       {"serve",
        "serve --dev --tls-cert a --tls-key b",
        "serve --tls-cert a",
        "serve --tls-key a",
        "serve --tls-cert /nonexistent --tls-key /nonexistent",
        "serve --dev --nonsense",
        "serve --dev --threads 0",
        "serve --dev --threads x",
        "serve --dev --log-level loud",
        "serve --dev --log-format xml",
        "serve --dev --max-body -1",
        "serve --dev --drain-delay -1",
        "serve --dev --listen nowhere",
        "serve --dev --listen 127.0.0.1:99999",
        "serve --dev --client-ca /nonexistent --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0",
        "serve --dev --client-name kube-apiserver",
        "serve --dev --client-ca ''",
        "serve --dev --config ''",
        "serve --dev --kubernetes-version ''",
        "serve --dev --max-connections 0100",
        "serve --dev --threads 0x2",
        "serve --dev extra"}) {
    SCOPED_TRACE(arguments);
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err, "");
  }
  EXPECT_NE(run("serve --dev --client-name a").err.find("--client-name needs --client-ca"),
            std::string::npos);
  EXPECT_NE(run("serve --dev --client-ca x --client-name 'a, b'").err.find("end with a space"),
            std::string::npos);
  EXPECT_NE(run("serve --dev --client-ca x --client-name ''").err.find("--client-name: is empty"),
            std::string::npos);
  EXPECT_NE(run("serve --dev", "WINADMIT_CLIENT_NAME=a,b").err.find("--client-name needs"),
            std::string::npos);
  for (const std::string name : {"WINADMIT_CLIENT_CA", "WINADMIT_CLIENT_NAME"}) {
    EXPECT_NE(run("serve --dev", name + "=").err.find(name + " is empty"), std::string::npos);
  }
  EXPECT_EQ(run("serve --dev", "WINADMIT_THREADS=0").exit_code, 2);
  EXPECT_EQ(run("serve --dev", "WINADMIT_LOG_LEVEL=loud").exit_code, 2);
}

}  // namespace
}  // namespace winadmit
