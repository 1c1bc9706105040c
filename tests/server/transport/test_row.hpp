// A row of the table without a connection.
#pragma once

#include "server/transport/connection_table.hpp"

namespace winadmit::test {

// Source addresses.
inline constexpr const char* kOne = "10.0.0.1";
inline constexpr const char* kTwo = "10.0.0.2";
inline constexpr const char* kThree = "2001:db8::3";

struct TestRow final : server::ConnectionTable::Row, private server::ConnectionTable::Row::Owner {
  explicit TestRow(server::ConnectionTable& table, const char* source = kOne)
      : Row(table, boost::asio::ip::make_address(source), *this) {}
  bool is_ended() const { return !ended_for.empty(); }
  std::string_view ended_for;

 private:
  void end_for(std::string_view limit) override {
    ended_for = limit;
    leave();
  }
};

}  // namespace winadmit::test
