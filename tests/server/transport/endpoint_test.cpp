// Addresses to listen on, in the form of --listen.
#include "server/transport/endpoint.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace winadmit::server {
namespace {

TEST(Endpoint, IsPrintedAsItIsParsed) {
  for (const char* text : {"127.0.0.1:8443", "0.0.0.0:0", "[::1]:65535", "[::]:8080"}) {
    EXPECT_EQ(to_string(parse_endpoint(text)), text);
  }
  EXPECT_EQ(to_string(parse_endpoint(":8443")), "[::]:8443");
}

TEST(Endpoint, IsRejectedWithoutAnAddressAndAPort) {
  for (const char* text : {"", "8443", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1",
                           "127.0.0.1:1 ", "[::1]", "[::1:1", "localhost:1", "[]x:1"}) {
    EXPECT_THROW(parse_endpoint(text), std::invalid_argument) << text;
  }
}

TEST(Endpoint, HasAZoneThatIsAnInterface) {
  EXPECT_THROW(parse_endpoint("[fe80::1%nosuch]:0"), std::invalid_argument);
  EXPECT_NE(parse_endpoint("[fe80::1%lo]:0").address().to_v6().scope_id(), 0U);
}

TEST(Endpoint, OfAllAddressesAcceptsIpv4AndIpv6) {
  asio::io_context loop;
  const Acceptor acceptor = listen_on(loop, parse_endpoint(":0"));
  for (const char* address : {"127.0.0.1", "::1"}) {
    Socket socket(loop);
    error_code error;
    socket.connect({asio::ip::make_address(address), acceptor.local_endpoint().port()}, error);
    EXPECT_FALSE(error) << address << ": " << error.message();
  }
}

TEST(Endpoint, InUseIsNamedInTheError) {
  asio::io_context loop;
  const Acceptor first = listen_on(loop, parse_endpoint("127.0.0.1:0"));
  try {
    listen_on(loop, first.local_endpoint());
    FAIL() << "no error";
  } catch (const boost::system::system_error& error) {
    EXPECT_EQ(error.code(), asio::error::address_in_use);
    EXPECT_NE(std::string(error.what()).find(to_string(first.local_endpoint())), std::string::npos);
  }
}

/// Disables IPv6 sockets in this process, as on a host without IPv6.
bool disable_ipv6() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(Endpoint, OfAllAddressesIsIpv4WithoutIpv6) {
  EXPECT_EXIT(
      {
        if (!disable_ipv6()) std::_Exit(2);
        asio::io_context loop;
        const auto endpoint = listen_on(loop, parse_endpoint(":0")).local_endpoint();
        std::_Exit(endpoint.address() == asio::ip::address_v4::any() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Endpoint, OfIpv6FailsWithoutIpv6) {
  EXPECT_EXIT(
      {
        if (!disable_ipv6()) std::_Exit(2);
        asio::io_context loop;
        try {
          listen_on(loop, parse_endpoint("[::1]:0"));
        } catch (const boost::system::system_error&) {
          std::_Exit(0);
        }
        std::_Exit(1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace winadmit::server
