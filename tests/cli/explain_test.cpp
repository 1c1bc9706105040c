// `winadmit explain`.
#include <gtest/gtest.h>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using test::Result;

class ExplainCommand : public test::Binary {};

TEST_F(ExplainCommand, ExplainsARuleAndAField) {
  const Result by_id = run("explain host-pid");
  EXPECT_EQ(by_id.exit_code, 0);
  EXPECT_NE(by_id.out.find("https://"), std::string::npos);
  EXPECT_EQ(run("explain spec.hostPID").out, by_id.out);
  EXPECT_EQ(run("explain 'spec.template.spec.hostPID'").out, by_id.out);
  EXPECT_NE(
      run("explain 'spec.containers[0].securityContext.privileged'").out.find("ctr-privileged"),
      std::string::npos);
  EXPECT_EQ(run("explain advice-unplaced").exit_code, 0);
  const Result unknown = run("explain privileged-x");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("privileged-x"), std::string::npos);
}

}  // namespace
}  // namespace winadmit
