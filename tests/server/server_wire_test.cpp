// The server over TLS on loopback: what a client may do, and what it may not do to others.
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "certs/issue.hpp"
#include "tests/server/wire.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// A review of a pod whose annotation has `padding` bytes.
std::string review(std::string_view uid, std::size_t padding = 0,
                   std::string_view spec = R"({"nodeSelector":{"kubernetes.io/os":"windows"}})") {
  std::string text =
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":")";
  text.append(uid).append(R"(","kind":{"kind":"Pod"},"operation":"CREATE","object":{"metadata":)");
  text.append(R"({"annotations":{"a":")").append(padding, 'x').append(R"("}},"spec":)");
  return text.append(spec).append("}}}");
}

bool answers(const WireReply& reply, std::string_view uid) {
  return reply.status == 200 &&
         reply.body.find("\"uid\":\"" + std::string(uid) + '"') != std::string::npos;
}

/// Any fresh client is served.
bool is_alive(const TestServer& server) {
  Client client(server.port());
  return answers(client.post(review("alive")), "alive");
}

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

std::string chunk(std::string_view bytes) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

const std::string kChunkedHead =
    "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
    "Transfer-Encoding: chunked\r\n\r\n";

TEST(ServerWire, KeepsAConnectionForManyRequests) {
  const TestServer server;
  Client client(server.port());
  for (int i = 0; i < 50; ++i) {
    const std::string uid = "r" + std::to_string(i);
    EXPECT_TRUE(answers(client.post(review(uid)), uid));
  }
}

TEST(ServerWire, AnswersPipelinedRequestsInTheirOrder) {
  const TestServer server;
  Client client(server.port());
  std::string all;
  for (int i = 0; i < 40; ++i) {
    all += post_request(review("r" + std::to_string(i), static_cast<std::size_t>(i) * 1000));
  }
  std::thread sender([&] { client.send(all); });
  sender.join();
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(answers(client.read_reply(), "r" + std::to_string(i)));
}

TEST(ServerWire, SpeaksTls12And13AndNothingOlder) {
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

TEST(ServerWire, ReadsChunkedBodies) {
  const TestServer server;
  Client client(server.port());
  const std::string body = review("c", 50'000);
  for (const std::size_t piece : {body.size(), std::size_t{1000}, std::size_t{7}}) {
    std::string request = kChunkedHead;
    for (std::size_t at = 0; at < body.size(); at += piece) {
      request += chunk(std::string_view(body).substr(at, piece));
    }
    request += "0\r\n\r\n";
    ASSERT_TRUE(client.send(request));
    EXPECT_TRUE(answers(client.read_reply(), "c")) << piece;
  }
  // A byte at a time, trailers included, and another request right behind.
  std::string request = kChunkedHead + chunk(review("t")) + "0\r\nX-Trailer: a\r\n\r\n";
  request += post_request(review("next"));
  for (const char byte : request) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_TRUE(answers(client.read_reply(), "t"));
  EXPECT_TRUE(answers(client.read_reply(), "next"));
}

TEST(ServerWire, TakesABodyOfSevenMebibytesAndNotOneByteMore) {
  const TestServer server;
  const std::size_t limit = 7 * 1024 * 1024;
  const std::size_t rest = review("b").size();
  Client client(server.port());
  EXPECT_TRUE(answers(client.post(review("b", limit - rest)), "b"));
  EXPECT_TRUE(answers(client.post(review("small")), "small")) << "the connection is as before";
  EXPECT_EQ(client.post(review("b", limit - rest + 1)).status, 413);
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, RefusesABodyOverTheLimit) {
  const TestServer server([](server::Options& options) { options.limits.http.body = 4096; });
  {
    Client client(server.port());
    client.send(
        "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        "Content-Length: 4097\r\n\r\n");
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, 413) << "before a byte of it was sent";
    EXPECT_EQ(reply.body, "the body is over 4096 bytes\n");
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
  {
    Client client(server.port());
    client.send(kChunkedHead + chunk(std::string(3000, ' ')) + chunk(std::string(3000, ' ')));
    EXPECT_EQ(client.read_reply().status, 413);
  }
  {
    Client client(server.port());
    client.send(
        "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        "Content-Length: 99999999999999999999999\r\n\r\n");
    const int status = client.read_reply().status;
    EXPECT_TRUE(status == 400 || status == 413) << status;
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, RefusesAHeaderOverSixteenKibibytes) {
  const TestServer server;
  {
    Client client(server.port());
    EXPECT_EQ(
        client.post(review("ok"), "/validate", "X-A: " + std::string(15'000, 'a') + "\r\n").status,
        200);
    const WireReply reply =
        client.post(review("no"), "/validate", "X-A: " + std::string(17'000, 'a') + "\r\n");
    EXPECT_EQ(reply.status, 431);
    EXPECT_TRUE(reply.says_close());
  }
  {
    Client client(server.port());  // one that never ends
    client.send("POST /validate HTTP/1.1\r\nX-A: " + std::string(40'000, 'a'));
    EXPECT_EQ(client.read_reply().status, 431);
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, BoundsWhatGoesWithChunks) {
  const TestServer server;
  for (const std::string& junk :
       {"1;" + std::string(3'000'000, 'x'), "0\r\nX: " + std::string(3'000'000, 'x')}) {
    Client client(server.port());
    client.send(kChunkedHead);
    client.send(junk);
    const int status = client.read_reply().status;
    EXPECT_TRUE(status == 400 || status == 431) << status;
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, SaysContinueToWhoeverExpectsIt) {
  const TestServer server;
  Client client(server.port());
  const std::string body = review("e");
  const std::string head = post_request("", "/validate", "Expect: 100-continue\r\n");
  std::string with_length = head;
  with_length.replace(with_length.find("Content-Length: 0"), 17,
                      "Content-Length: " + std::to_string(body.size()));
  client.send(with_length);
  EXPECT_EQ(client.read_reply().status, 100);
  client.send(body);
  EXPECT_TRUE(answers(client.read_reply(), "e"));
  // A body that would be refused is not asked for.
  with_length.replace(with_length.find("/validate"), 9, "/elsewhere");
  client.send(with_length);
  EXPECT_EQ(client.read_reply().status, 404);
}

TEST(ServerWire, KeepsTheConnectionAfterARefusal) {
  const TestServer server;
  Client client(server.port());
  struct Case {
    const char* name;
    std::string request;
    int status;
  };
  const std::string no_type = "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}";
  const Case cases[] = {
      {"empty body", post_request(""), 400},
      {"not JSON", post_request("nonsense"), 400},
      {"unknown path", post_request(review("x"), "/elsewhere"), 404},
      {"unknown path, large", post_request(review("x", 200'000), "/elsewhere"), 404},
      {"GET", "GET /validate HTTP/1.1\r\nHost: h\r\n\r\n", 405},
      {"PUT with a body", "PUT /validate HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}", 405},
      {"no content type", no_type, 415},
      {"chunked, to an unknown path",
       "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("{}") +
           "0\r\n\r\n",
       404},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(client.send(each.request));
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, each.status);
    EXPECT_FALSE(reply.says_close());
    EXPECT_TRUE(answers(client.post(review("after")), "after"));
  }
}

TEST(ServerWire, EndsTheConnectionAfterWhatIsNotHttp) {
  const TestServer server;
  for (const std::string bytes :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /validate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: "
        "chunked\r\n\r\n0\r\n\r\n",
        "POST /validate HTTP/1.1\r\nBad Header: x\r\n\r\n"}) {
    SCOPED_TRACE(bytes);
    Client client(server.port());
    client.send(bytes);
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, ClosesWhenAsked) {
  const TestServer server;
  {
    Client client(server.port());
    EXPECT_TRUE(client.post(review("a"), "/validate", "Connection: close\r\n").says_close());
    EXPECT_TRUE(client.ends());
  }
  {
    Client client(server.port());
    std::string request = post_request(review("a"));
    request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
    client.send(request);
    const WireReply reply = client.read_reply();
    EXPECT_TRUE(answers(reply, "a"));
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
}

TEST(ServerWire, ClosesAfterTheAnswerToHead) {
  const TestServer server;
  Client client(server.port());
  client.send("HEAD /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  const WireReply reply = client.read_reply();
  EXPECT_EQ(reply.status, 405);
  EXPECT_TRUE(reply.says_close());
  EXPECT_TRUE(client.ends());
}

TEST(ServerWire, CutsOffWhoeverIsTooSlow) {
  const TestServer server([](server::Options& options) {
    options.limits.handshake = 500ms;
    options.limits.request = 700ms;
    options.limits.idle = 700ms;
  });
  const auto within = [](steady_clock::duration least, auto&& wait) {
    const auto start = steady_clock::now();
    wait();
    const auto took = steady_clock::now() - start;
    EXPECT_GE(took, least);
    EXPECT_LT(took, 6s);
  };
  {
    SCOPED_TRACE("never speaks");
    const Plain silent(server.port());
    within(400ms, [&] { EXPECT_TRUE(silent.ends()); });
  }
  {
    SCOPED_TRACE("idle after the handshake");
    Client client(server.port());
    within(500ms, [&] { EXPECT_TRUE(client.ends()); });
  }
  {
    SCOPED_TRACE("a byte now and then");
    Client client(server.port());
    const std::string request = post_request(review("slow"));
    within(500ms, [&] {
      std::size_t sent = 0;
      while (sent < request.size() && client.send(std::string_view(request).substr(sent, 1))) {
        ++sent;
        std::this_thread::sleep_for(100ms);
      }
      EXPECT_LT(sent, request.size());
    });
  }
  {
    SCOPED_TRACE("the API server's own deadline");
    Client client(server.port());
    client.send(
        "POST /validate?timeout=100ms HTTP/1.1\r\nContent-Type: application/json\r\n"
        "Content-Length: 10\r\n\r\n");
    within(50ms, [&] { EXPECT_TRUE(client.ends()); });
  }
  EXPECT_TRUE(is_alive(server));
  EXPECT_NE(server.admin("/metrics").find("winadmit_bad_requests_total{reason=\"timeout\"}"),
            std::string::npos);
}

TEST(ServerWire, HoldsOnlySoManyConnections) {
  const TestServer server([](server::Options& options) { options.limits.connections = 3; });
  std::vector<std::unique_ptr<Client>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(std::make_unique<Client>(server.port()));
    ASSERT_TRUE(answers(held.back()->post(review("a")), "a"));
  }
  EXPECT_FALSE(Client(server.port()).connected());
  EXPECT_TRUE(answers(held.front()->post(review("b")), "b"));
  held.pop_back();
  bool served = false;
  for (int i = 0; i < 100 && !served; ++i) {
    std::this_thread::sleep_for(20ms);
    served = is_alive(server);
  }
  EXPECT_TRUE(served);
  EXPECT_NE(server.admin("/metrics").find("winadmit_connections_refused_total "),
            std::string::npos);
}

TEST(ServerWire, OutlivesClientsThatVanish) {
  const TestServer server;
  const std::string request = post_request(review("v", 300'000));
  for (std::size_t i = 0; i < 12; ++i) {
    Client client(server.port());
    client.send(request.substr(0, request.size() * i / 12));
    client.close();
  }
  for (int i = 0; i < 5; ++i) {
    Plain halfway(server.port());
    halfway.send("\x16\x03\x01\x02");  // the beginning of a handshake
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, OutlivesPlaintextOnTheTlsPort) {
  const TestServer server;
  const Plain plain(server.port());
  plain.send("POST /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  while (!plain.ends()) {
  }
  EXPECT_TRUE(is_alive(server));
  EXPECT_NE(server.admin("/metrics").find("winadmit_tls_handshake_failures_total 1\n"),
            std::string::npos);
}

TEST(ServerWire, AsksForAClientCertificateWhereItHasACa) {
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

TEST(ServerWire, ServesManyClientsAtOnce) {
  const TestServer server;
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.port());
      for (int i = 0; i < 25; ++i) {
        const std::string uid = std::to_string(c) + '-' + std::to_string(i);
        const std::size_t size = (i % 5 == 0) ? 150'000 : 500;
        if (answers(client.post(review(uid, size), i % 2 == 0 ? "/mutate" : "/validate"), uid)) {
          ++answered;
        }
      }
    });
  }
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(server.admin("/metrics").starts_with("200 "));
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 200);
  const std::string metrics = server.admin("/metrics");
  EXPECT_NE(metrics.find("winadmit_request_duration_seconds_count 200\n"), std::string::npos);
  EXPECT_NE(metrics.find("winadmit_requests_total{path=\"/mutate\",decision=\"patched\"} 104\n"),
            std::string::npos);
}

TEST(ServerWire, BoundsTheMemoryOfLargeBodiesInFlight) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.http.body = 100'000;
    options.limits.large_bodies = 250'000;
  });
  const auto begin = [](Client& client) {
    const std::string whole = post_request(review("first", 90'000));
    client.send(std::string_view(whole).substr(0, 1000));
    return whole.substr(1000);
  };
  Client first(server.port());
  Client second(server.port());
  const std::string rest = begin(first);
  begin(second);
  int status = 200;
  for (const auto end = steady_clock::now() + 5s; status == 200 && steady_clock::now() < end;) {
    status = Client(server.port()).post(review("third", 90'000)).status;
  }
  ASSERT_EQ(status, 503) << "the first two have taken what there is";
  Client small(server.port());
  EXPECT_TRUE(answers(small.post(review("small")), "small"));
  first.send(rest);
  EXPECT_TRUE(answers(first.read_reply(), "first"));
  Client third(server.port());
  EXPECT_TRUE(answers(third.post(review("third", 90'000)), "third")) << "it was given back";
  EXPECT_NE(server.admin("/metrics").find("{reason=\"busy\"}"), std::string::npos);
}

TEST(ServerWire, KeepsStreamsApartWhenLargeRequestsArePipelined) {
  // Answers are not read while requests are sent, so that the server has to wait amidst them.
  const TestServer server([](server::Options& options) { options.threads = 1; });
  constexpr int kClients = 3, kRequests = 30;
  const auto uid_of = [](int c, int i) {
    return std::to_string(c) + '-' + std::to_string(i) + std::string(30'000, 'u');
  };
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.port());
      std::string all;
      for (int i = 0; i < kRequests; ++i) {
        all += post_request(review(uid_of(c, i), 60'000 + static_cast<std::size_t>(i) * 777));
        if (i % 10 != 9) continue;
        client.send(all);
        all.clear();
        for (int j = i - 9; j <= i; ++j) answered += answers(client.read_reply(), uid_of(c, j));
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, kClients * kRequests);
}

TEST(ServerWire, ServesTheAdminPort) {
  const TestServer server;
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  EXPECT_EQ(server.admin("/readyz"), "200 ok\n");
  EXPECT_TRUE(server.admin("/version").starts_with("200 {\"version\""));
  EXPECT_TRUE(server.admin("/elsewhere").starts_with("404 "));
  const std::string metrics = server.admin("/metrics");
  for (const char* name :
       {"winadmit_requests_total", "winadmit_findings_total", "winadmit_patches_total",
        "winadmit_request_duration_seconds_bucket", "winadmit_tls_handshake_failures_total",
        "winadmit_connections ", "winadmit_certificate_expiry_timestamp_seconds",
        "winadmit_build_info"}) {
    EXPECT_NE(metrics.find(name), std::string::npos) << name;
  }
}

TEST(ServerWire, DrainsOnSigterm) {
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

TEST(ServerWire, StopsAtOnceWhereNobodyIsThere) {
  TestServer server;
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

TEST(ServerWire, SaysWhyItCannotStart) {
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
