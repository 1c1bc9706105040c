#include "certs/openssl.hpp"

#include <gtest/gtest.h>

namespace winadmit::certs {
namespace {

TEST(Openssl, WritesHexadecimalDigits) {
  const BigNumber number(BN_new());
  BN_set_word(number.get(), 0xabc);
  EXPECT_EQ(number_to_hex(number.get()), "0abc");
  BN_set_negative(number.get(), 1);
  EXPECT_EQ(number_to_hex(number.get()), "-0abc");
}

TEST(Openssl, ReturnsWhatWasWrittenToABio) {
  const Bio bio(BIO_new(BIO_s_mem()));
  EXPECT_EQ(contents(bio.get()), "");
  BIO_puts(bio.get(), "text");
  EXPECT_EQ(contents(bio.get()), "text");
}

}  // namespace
}  // namespace winadmit::certs
