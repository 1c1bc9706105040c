#include "bytes/openssl_reason.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>

namespace winadmit {
namespace {

TEST(OpensslReason, TellsTheFirstErrorAndClearsTheOthers) {
  ERR_clear_error();
  EXPECT_EQ(openssl_reason(), "unknown reason") << "the queue is empty";
  ERR_raise(ERR_LIB_USER, ERR_R_MALLOC_FAILURE);
  ERR_raise(ERR_LIB_USER, ERR_R_PASSED_NULL_PARAMETER);
  EXPECT_EQ(openssl_reason(), "malloc failure");
  EXPECT_EQ(ERR_peek_error(), 0U);
}

}  // namespace
}  // namespace winadmit
