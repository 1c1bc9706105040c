// The server from its start to its end: ports, handshakes, clients that come and go, draining.
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "certs/issue.hpp"
#include "tests/server/transport/wire.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// A certificate for a client: those of certs/ are for servers alone.
certs::Pair client_certificate(const certs::Pair& ca) {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, void (*)(X509*)> made(X509_new(), X509_free);
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 7);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("apiserver"), -1, -1, 0);
  X509_set_issuer_name(made.get(), X509_get_subject_name(ca.leaf()));
  X509_set_pubkey(made.get(), key.get());
  X509_sign(made.get(), ca.key.get(), EVP_sha256());
  const std::unique_ptr<BIO, int (*)(BIO*)> text(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  char* bytes = nullptr;
  const auto size = static_cast<std::size_t>(BIO_get_mem_data(text.get(), &bytes));
  return certs::parse_pair({certs::to_pem(made.get()), std::string(bytes, size)});
}

TEST(LifeWire, SpeaksTls12And13AndNothingOlder) {
  const TestServer server;
  for (const auto& [version, name] :
       {std::pair{TLS1_2_VERSION, "TLSv1.2"}, std::pair{TLS1_3_VERSION, "TLSv1.3"}}) {
    Client client(server.port(), {.version = version});
    ASSERT_TRUE(client.connected()) << name;
    EXPECT_STREQ(client.version(), name);
    EXPECT_TRUE(answers(client.post(review("a", 100'000)), "a"));
  }
  EXPECT_FALSE(Client(server.port(), {.version = TLS1_1_VERSION}).connected());
}

TEST(LifeWire, SpeaksEachCipherInBothVersionsWithLargeBodiesAndNewKeys) {
  const TestServer server;
  for (const auto& [version, cipher] :
       {std::pair{TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256"},
        std::pair{TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384"},
        std::pair{TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-AES256-GCM-SHA384"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-CHACHA20-POLY1305"}}) {
    SCOPED_TRACE(cipher);
    Client client(server.port(), {.version = version, .cipher = cipher});
    ASSERT_TRUE(client.connected());
    EXPECT_STREQ(client.cipher(), cipher);
    for (const std::size_t padding : {0U, 1U, 16'000U, 300'000U}) {
      EXPECT_TRUE(answers(client.post(review("a", padding)), "a")) << padding;
    }
    if (version != TLS1_3_VERSION) continue;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(client.update_keys());
      EXPECT_TRUE(answers(client.post(review("b", 20'000)), "b"));
    }
  }
}

TEST(LifeWire, ClosesTheOldestConnectionForANewOneAtTheLimit) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_connections = 3;
  });
  std::vector<std::unique_ptr<Client>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(std::make_unique<Client>(server.port()));
    ASSERT_TRUE(answers(held.back()->post(review("a")), "a"));
  }
  ASSERT_TRUE(answers(held[0]->post(review("b")), "b"));  // now the second is the oldest
  EXPECT_TRUE(is_alive(server));
  EXPECT_TRUE(held[1]->ends());
  EXPECT_TRUE(answers(held[0]->post(review("c")), "c"));
  EXPECT_TRUE(server.comes_to_count("winadmit_connections_evicted_total{for=\"connections\"} 1"));
}

TEST(LifeWire, OutlivesClientsThatVanish) {
  const TestServer server;
  const std::string request = post_request(review("v", 300'000));
  for (std::size_t i = 0; i < 12; ++i) {
    Client client(server.port());
    client.send(request.substr(0, request.size() * i / 12));
    client.close();
  }
  ASSERT_TRUE(server.comes_to_count("winadmit_connections_total 12"));
  EXPECT_TRUE(server.comes_to_count("winadmit_connections 0")) << "noticed, not waited for";
  for (int i = 0; i < 5; ++i) {
    Plain halfway(server.port());
    halfway.send("\x16\x03\x01\x02");  // the beginning of a handshake
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(LifeWire, OutlivesPlaintextOnTheTlsPort) {
  const TestServer server;
  const Plain plain(server.port());
  const auto start = steady_clock::now();
  plain.send("POST /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  while (!plain.receive().empty()) {
  }
  EXPECT_TRUE(plain.ends());
  EXPECT_LT(steady_clock::now() - start, 5s) << "at once, not when a handshake's time is over";
  EXPECT_TRUE(is_alive(server));
  EXPECT_TRUE(server.comes_to_count("winadmit_tls_handshake_failures_total 1"));
}

TEST(LifeWire, CountsALookAtThePortAsAConnectionAndNotAsAFailedHandshake) {
  const TestServer server;
  Plain(server.port()).close();
  ASSERT_TRUE(server.comes_to_count("winadmit_connections_total 1"));
  EXPECT_TRUE(server.comes_to_count("winadmit_connections 0"));
  EXPECT_TRUE(server.comes_to_count("winadmit_tls_handshake_failures_total 0"));
}

TEST(LifeWire, AsksForAClientCertificateWhereItHasACa) {
  const auto ca = certs::parse_pair(certs::issue_ca(std::chrono::hours(1)));
  const auto other_ca = certs::parse_pair(certs::issue_ca(std::chrono::hours(1)));
  const auto client_pair = client_certificate(ca);
  const auto stranger = client_certificate(other_ca);
  const auto file = std::filesystem::temp_directory_path() /
                    ("winadmit-client-ca-" + std::to_string(::getpid()) + ".pem");
  std::ofstream(file) << certs::to_pem(ca.leaf());
  const TestServer server([&](server::Options& options) { options.client_ca = file.string(); });
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    SCOPED_TRACE(version);
    Client known(server.port(), {.version = version, .pair = &client_pair});
    EXPECT_TRUE(answers(known.post(review("k")), "k"));
    Client unknown(server.port(), {.version = version, .pair = &stranger});
    EXPECT_EQ(unknown.post(review("u")).status, 0);
    Client nobody(server.port(), {.version = version});
    EXPECT_EQ(nobody.post(review("n")).status, 0);
  }
  std::filesystem::remove(file);
}

TEST(LifeWire, ServesTheAdminPort) {
  const TestServer server;
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  EXPECT_EQ(server.admin("/readyz"), "200 ok\n");
  EXPECT_TRUE(server.admin("/version").starts_with("200 {\"version\""));
  EXPECT_TRUE(server.admin("/elsewhere").starts_with("404 "));
}

TEST(LifeWire, CountsWhatItServes) {
  const TestServer server;
  Client client(server.port());
  ASSERT_TRUE(answers(client.post(review_with_findings("refused", 2)), "refused"));
  ASSERT_TRUE(answers(client.post(review("placed"), "/mutate"), "placed"));
  ASSERT_EQ(client.post("nonsense").status, 400);
  ASSERT_EQ(client.post(review("x"), "/elsewhere").status, 404);
  for (const char* line : {R"(winadmit_requests_total{path="/validate",decision="denied"} 1)",
                           R"(winadmit_requests_total{path="/mutate",decision="patched"} 1)",
                           R"(winadmit_patches_total{operation="CREATE"} 1)",
                           R"(winadmit_patches_total{operation="UPDATE"} 0)",
                           R"(winadmit_bad_requests_total{reason="not_json"} 1)",
                           R"(winadmit_bad_requests_total{reason="not_found"} 1)",
                           "winadmit_connections_total 1", "winadmit_connections 1"}) {
    EXPECT_TRUE(server.comes_to_count(line)) << line;
  }
}

TEST(LifeWire, TellsWhenTheCertificateEnds) {
  const TestServer server;
  const std::string name = "\nwinadmit_certificate_expiry_timestamp_seconds ";
  const std::string metrics = server.admin("/metrics");
  const std::size_t at = metrics.find(name);
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(std::stod(metrics.substr(at + name.size())), static_cast<double>(std::time(nullptr)));
}

TEST(LifeWire, AnswersALargeReviewThatIsUnderWayWhenItDrains) {
  TestServer server;
  Client client(server.port());
  ASSERT_TRUE(client.send(post_request(review("large", 6'000'000))));
  TestServer::terminate();
  EXPECT_TRUE(answers(client.read_reply(), "large"));
  EXPECT_TRUE(client.ends());
  server.join();
}

TEST(LifeWire, DrainsOnSigterm) {
  TestServer server([](server::Options& options) { options.drain_delay = 700ms; });
  Client idle(server.port());
  ASSERT_FALSE(idle.post(review("before")).says_close());
  Client busy(server.port());
  const std::string request = post_request(review("busy", 100'000));
  busy.send(request.substr(0, request.size() / 2));
  std::this_thread::sleep_for(100ms);

  const auto start = steady_clock::now();
  TestServer::terminate();
  std::string ready;
  for (int i = 0; i < 50 && !ready.starts_with("503 "); ++i) {
    std::this_thread::sleep_for(10ms);
    ready = server.admin("/readyz");
  }
  EXPECT_TRUE(ready.starts_with("503 ")) << ready;
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  // Until the endpoints have changed everywhere, requests still come; each is the last.
  Client late(server.port());
  const WireReply last = late.post(review("late"));
  EXPECT_TRUE(answers(last, "late"));
  EXPECT_TRUE(last.says_close());

  std::this_thread::sleep_until(start + 900ms);
  EXPECT_TRUE(idle.ends());
  busy.send(request.substr(request.size() / 2));
  const WireReply finished = busy.read_reply();
  EXPECT_TRUE(answers(finished, "busy"));
  EXPECT_TRUE(finished.says_close());
  EXPECT_TRUE(busy.ends());
  busy.close();
  server.join();
  EXPECT_LT(steady_clock::now() - start, 4s) << "nothing is left to wait for";
}

/// How many of 200 clients are answered whose requests arrive while the loop is busy and is told to
/// drain.
int answered_while_draining() {
  TestServer server([](server::Options& options) { options.threads = 1; });
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    EXPECT_TRUE(answers(clients.back()->post(review("before")), "before"));
  }
  // The event loop is busy for some milliseconds. Then it finds more than it takes in a turn.
  const std::string long_request = post_request(review_with_findings("long", 20'000));
  EXPECT_TRUE(clients[0]->send(long_request));
  std::this_thread::sleep_for(1ms);
  TestServer::terminate();
  for (std::size_t i = 1; i < clients.size(); ++i) {
    clients[i]->send(post_request(review(std::to_string(i))));
  }
  int answered = answers(clients[0]->read_reply(), "long") ? 1 : 0;
  for (std::size_t i = 1; i < clients.size(); ++i) {
    if (answers(clients[i]->read_reply(), std::to_string(i))) ++answered;
    EXPECT_TRUE(clients[i]->ends());
  }
  server.join();
  return answered;
}

TEST(LifeWire, AnswersWhatHasArrivedWhenItDrains) {
  // On a busy machine some requests are sent too late. One try in which none is will do.
  int answered = 0;
  for (int i = 0; i < 5 && answered < 200; ++i) answered = answered_while_draining();
  EXPECT_EQ(answered, 200);
}

TEST(LifeWire, ServesAClientWhoseHandshakeIsUnderWayWhenItDrains) {
  TestServer server([](server::Options& options) { options.drain_delay = 200ms; });
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  const Plain halfway(server.port());
  halfway.send("\x16\x03\x01\x02");
  ASSERT_TRUE(server.comes_to_count("winadmit_connections 1"));
  TestServer::terminate();
  const auto start = steady_clock::now();
  // The last handshakes begin just before the draining does.
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back([&] {
      std::this_thread::sleep_until(start + 190ms);
      Client client(server.port());
      if (!client.connected()) return answered += 1;  // it came too late, and knows
      return answered += answers(client.post(review("last")), "last") ? 1 : 0;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 20);
  server.join();
}

TEST(LifeWire, ServesAClientThatHasShakenHandsWhenItDrains) {
  TestServer server([](server::Options& options) { options.drain_delay = 0ms; });
  Client client(server.port());
  ASSERT_TRUE(client.connected());
  std::this_thread::sleep_for(50ms);  // the server, too, has ended the handshake
  TestServer::terminate();
  std::this_thread::sleep_for(300ms);
  EXPECT_TRUE(answers(client.post(review("first")), "first"));
  server.join();
}

TEST(LifeWire, StopsAtOnceWhereNobodyIsThere) {
  TestServer server;
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

TEST(LifeWire, DoesNotWaitForAHandshakeThatNeverEnds) {
  TestServer server;
  const Plain halfway(server.port());
  halfway.send("\x16\x03\x01\x02");
  ASSERT_TRUE(server.comes_to_count("winadmit_connections 1"));
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

TEST(LifeWire, SaysWhyItCannotStart) {
  const TestServer first;
  EXPECT_THROW(TestServer([&](server::Options& options) {
                 options.listen = "127.0.0.1:" + std::to_string(first.port());
               }),
               std::exception);
  for (const char* bad : {"nowhere", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", ":x",
                          "127.0.0.1:-1", "localhost:1"}) {
    SCOPED_TRACE(bad);
    EXPECT_THROW(TestServer([&](server::Options& options) { options.listen = bad; }),
                 std::invalid_argument);
  }
}

}  // namespace
}  // namespace winadmit::test
