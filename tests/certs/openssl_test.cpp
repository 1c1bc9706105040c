#include "certs/openssl.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>

namespace winadmit::certs {
namespace {

TEST(Openssl, TellsTheFirstErrorAndClearsTheOthers) {
  ERR_clear_error();
  EXPECT_EQ(openssl_reason(), "unknown reason") << "the queue is empty";
  ERR_raise(ERR_LIB_USER, ERR_R_MALLOC_FAILURE);
  ERR_raise(ERR_LIB_USER, ERR_R_PASSED_NULL_PARAMETER);
  EXPECT_EQ(openssl_reason(), "malloc failure");
  EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(Openssl, WritesHexadecimalDigits) {
  const BigNumber number(BN_new());
  BN_set_word(number.get(), 0xabc);
  EXPECT_EQ(number_to_hex(number.get()), "0abc");
}

TEST(Openssl, ReturnsWhatWasWrittenToABio) {
  const Bio bio(BIO_new(BIO_s_mem()));
  EXPECT_EQ(contents(bio.get()), "");
  BIO_puts(bio.get(), "text");
  EXPECT_EQ(contents(bio.get()), "text");
}

}  // namespace
}  // namespace winadmit::certs
