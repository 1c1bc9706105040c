// The received bytes of a request, and the memory that they reserve.
#include "server/transport/receive_buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "tests/server/transport/test_row.hpp"

namespace winadmit::server {
namespace {

struct ReceiveBufferTest : testing::Test {
  void arrive(std::string_view bytes) {
    ASSERT_TRUE(buffer.reserve(bytes.size()));
    ASSERT_GE(buffer.free_size(), bytes.size());
    std::memcpy(buffer.free_begin(), bytes.data(), bytes.size());
    buffer.commit(bytes.size());
  }
  Evictions evictions;
  ConnectionTable table{{.connections = 4, .bytes = 1000, .large_bytes = 1000, .handshakes = 3},
                        evictions};
  test::TestRow row{table};
  ReceiveBuffer buffer{row};
};

TEST_F(ReceiveBufferTest, HasNoMemoryBeforeTheFirstByteAndAfterTheLast) {
  EXPECT_EQ(table.bytes(), 0U);
  arrive("abcdef");
  EXPECT_EQ(table.bytes(), 6U);
  buffer.consume(2);
  EXPECT_EQ(buffer.bytes(), "cdef");
  EXPECT_EQ(table.bytes(), 6U);
  buffer.consume(4);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.free_size(), 0U);
  EXPECT_EQ(table.bytes(), 0U);
}

TEST_F(ReceiveBufferTest, KeepsItsBytesWhileItGrows) {
  arrive("abc");
  arrive("defgh");
  arrive(std::string(100, 'x'));
  EXPECT_EQ(buffer.bytes(), "abcdefgh" + std::string(100, 'x'));
}

TEST_F(ReceiveBufferTest, ReusesTheSpaceOfConsumedBytes) {
  arrive("abcdefgh");
  buffer.consume(6);
  arrive("ijklmn");
  EXPECT_EQ(buffer.bytes(), "ghijklmn");
  EXPECT_EQ(table.bytes(), 8U);
}

TEST_F(ReceiveBufferTest, GrowsByDoubling) {
  arrive(std::string(100, 'x'));
  arrive("y");
  EXPECT_EQ(table.bytes(), 200U);
}

TEST_F(ReceiveBufferTest, DoesNotGrowBeyondTheExpectedSize) {
  arrive(std::string(100, 'x'));
  buffer.set_expected_size(130);
  arrive("y");
  EXPECT_EQ(table.bytes(), 130U);
  arrive(std::string(50, 'z'));
  EXPECT_EQ(table.bytes(), 151U) << "more than expected has arrived";
}

TEST_F(ReceiveBufferTest, IsUnchangedIfItMayNotReserve) {
  arrive("abc");
  EXPECT_FALSE(buffer.reserve(1000));
  EXPECT_EQ(buffer.bytes(), "abc");
  EXPECT_EQ(table.bytes(), 3U);
}

TEST_F(ReceiveBufferTest, ReleasesItsMemoryWhenItIsDestroyed) {
  {
    ReceiveBuffer other(row);
    ASSERT_TRUE(other.reserve(500));
    EXPECT_EQ(table.bytes(), 500U);
  }
  EXPECT_EQ(table.bytes(), 0U);
}

}  // namespace
}  // namespace winadmit::server
