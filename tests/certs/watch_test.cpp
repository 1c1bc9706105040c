#include "certs/watch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "certs/issue.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

Pem fresh_pair(std::chrono::seconds lifetime = 1h, std::chrono::sys_seconds now = current_time()) {
  return issue_self_signed(lifetime, now);
}

std::string fingerprint(const Pem& pem) { return describe(parse_pair(pem).leaf()).sha256; }

std::string fingerprint(const Watcher::Change& change) {
  return change.served ? change.served->sha256 : "no pair: " + change.error;
}

const Watcher::Serve kServe = [](const Pair&, const std::vector<Certificate>&) {};

/// A Secret's volume as the kubelet lays it out: tls.crt -> ..data/tls.crt, ..data -> ..<version>.
class Volume {
 public:
  Watcher::Files files() const { return {folder_ / "tls.crt", folder_ / "tls.key"}; }

  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  void write(const Pem& pem) const {
    write("tls.crt", pem.certificate);
    write("tls.key", pem.key);
  }

  /// The kubelet's AtomicWriter: a new directory, then one rename of the link to it.
  void swap(const Pem& pem) {
    const std::string version = "..version_" + std::to_string(++versions_);
    fs::create_directory(folder_ / version);
    write(version + "/tls.crt", pem.certificate);
    write(version + "/tls.key", pem.key);
    fs::create_directory_symlink(version, folder_ / "..data_tmp");
    fs::rename(folder_ / "..data_tmp", folder_ / "..data");
    if (versions_ == 1) {
      fs::create_symlink("..data/tls.crt", folder_ / "tls.crt");
      fs::create_symlink("..data/tls.key", folder_ / "tls.key");
    } else {
      fs::remove_all(folder_ / ("..version_" + std::to_string(versions_ - 1)));
    }
  }

  const fs::path& root() const { return folder_.path(); }

 private:
  const test::TemporaryFolder folder_;
  int versions_ = 0;
};

TEST(Watch, TheFirstPollServesThePair) {
  Volume volume;
  const Pem pem = fresh_pair();
  volume.swap(pem);
  Watcher watcher(volume.files(), kServe);
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(pem));
  EXPECT_EQ(fingerprint(watcher.poll()), "no pair: ");
}

TEST(Watch, SeesASwapOfTheDirectoryWithABrokenPairInBetween) {
  Volume volume;
  volume.swap(fresh_pair());
  Watcher watcher(volume.files(), kServe);
  ASSERT_TRUE(watcher.poll().served);

  const Pem next = fresh_pair();
  Pem half = next;
  half.certificate.resize(half.certificate.size() / 2);
  volume.swap(half);
  const Watcher::Change broken = watcher.poll();
  EXPECT_FALSE(broken.served);
  EXPECT_NE(broken.error.find("tls.crt: certificate 1 is cut off or damaged"), std::string::npos)
      << broken.error;
  EXPECT_TRUE(broken.has_failed);
  const Watcher::Change still_broken = watcher.poll();
  EXPECT_EQ(fingerprint(still_broken), "no pair: ") << "a failure is reported once";
  EXPECT_TRUE(still_broken.has_failed);

  volume.swap(next);
  const Watcher::Change complete = watcher.poll();
  EXPECT_EQ(fingerprint(complete), fingerprint(next));
  EXPECT_FALSE(complete.has_failed);
}

TEST(Watch, SeesFilesWrittenInPlaceAndRenamed) {
  Volume volume;
  const Pem first = fresh_pair();
  const Pem second = fresh_pair();
  const Pem third = fresh_pair();
  volume.write(first);
  Watcher watcher(volume.files(), kServe);
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(first));

  volume.write(second);
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(second));

  volume.write("new.crt", third.certificate);
  volume.write("new.key", third.key);
  fs::rename(volume.root() / "new.crt", volume.root() / "tls.crt");
  fs::rename(volume.root() / "new.key", volume.root() / "tls.key");
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(third));
}

TEST(Watch, RefusesACertificateWithTheKeyOfAnother) {
  Volume volume;
  volume.write(fresh_pair());
  Watcher watcher(volume.files(), kServe);
  ASSERT_TRUE(watcher.poll().served);

  const Pem next = fresh_pair();
  volume.write("tls.crt", next.certificate);
  const Watcher::Change mixed = watcher.poll();
  EXPECT_NE(mixed.error.find("tls.key is not the private key of"), std::string::npos)
      << mixed.error;
  volume.write("tls.key", next.key);
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(next));
}

TEST(Watch, IgnoresTheSameContentWrittenAgain) {
  Volume volume;
  const Pem pem = fresh_pair();
  volume.swap(pem);
  Watcher watcher(volume.files(), kServe);
  ASSERT_TRUE(watcher.poll().served);
  volume.swap(pem);
  const Watcher::Change same = watcher.poll();
  EXPECT_EQ(fingerprint(same), "no pair: ");
  EXPECT_FALSE(same.has_failed);
}

TEST(Watch, RetriesAPairThatCannotBeServed) {
  Volume volume;
  const Pem pem = fresh_pair();
  volume.write(pem);
  std::string trouble = "the client CA is unreadable";
  std::string served;
  Watcher watcher(volume.files(), [&](const Pair& pair, const std::vector<Certificate>&) {
    if (!trouble.empty()) throw Error(trouble);
    served = describe(pair.leaf()).sha256;
  });
  EXPECT_EQ(watcher.poll().error, trouble);
  EXPECT_EQ(fingerprint(watcher.poll()), "no pair: ");
  trouble.clear();
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(pem));
  EXPECT_EQ(served, fingerprint(pem));
}

TEST(Watch, KeepsServingTheOldPairWhileFilesAreMissing) {
  Volume volume;
  const Pem pem = fresh_pair();
  volume.write(pem);
  Watcher watcher(volume.files(), kServe);
  ASSERT_TRUE(watcher.poll().served);

  fs::remove(volume.root() / "tls.key");
  const std::string error = watcher.poll().error;
  EXPECT_NE(error.find("tls.key: No such file or directory"), std::string::npos) << error;
  volume.write("tls.key", pem.key);
  EXPECT_TRUE(watcher.poll().is_restored) << "the old content is back";
  EXPECT_FALSE(watcher.poll().is_restored) << "reported once";

  fs::remove(volume.root() / "tls.key");
  EXPECT_EQ(watcher.poll().error, error) << "the same failure is reported again after a success";
  fs::create_directory(volume.root() / "tls.key");
  EXPECT_NE(watcher.poll().error.find("is a directory"), std::string::npos) << "another reason";
}

TEST(Watch, ServesAPairOnceItBecomesValid) {
  const auto now = current_time();
  const Pem early = fresh_pair(1h, now + 30min);
  auto clock = now;
  Watcher watcher(
      {"tls.crt", "tls.key"}, kServe,
      [&](const fs::path& file) { return file == "tls.crt" ? early.certificate : early.key; },
      [&] { return clock; });
  EXPECT_NE(watcher.poll().error.find("is not valid before"), std::string::npos);
  EXPECT_EQ(fingerprint(watcher.poll()), "no pair: ");
  clock = now + 40min;
  EXPECT_EQ(fingerprint(watcher.poll()), fingerprint(early));
}

/// A pair and client CAs, and which of them are served.
class WatchClientCa : public testing::Test {
 protected:
  WatchClientCa() {
    volume_.write(pair_);
    volume_.write("ca.crt", ca_.certificate);
  }

  static std::vector<std::string> subjects(const std::vector<Certificate>& certificates) {
    std::vector<std::string> subjects;
    for (const Certificate& each : certificates) subjects.push_back(describe(each.get()).subject);
    return subjects;
  }
  static std::vector<std::string> subjects(const std::string& pem) {
    return subjects(parse_certificates(pem, "pem"));
  }

  Volume volume_;
  const Pem pair_ = fresh_pair();
  const Pem ca_ = issue_ca(1h);
  std::string served_;
  std::vector<std::string> served_cas_;
  Watcher watcher_{
      {volume_.root() / "tls.crt", volume_.root() / "tls.key", volume_.root() / "ca.crt"},
      [this](const Pair& pair, const std::vector<Certificate>& client_cas) {
        served_ = describe(pair.leaf()).sha256;
        served_cas_ = subjects(client_cas);
      }};
};

TEST_F(WatchClientCa, IsServedWithThePair) {
  EXPECT_EQ(fingerprint(watcher_.poll()), fingerprint(pair_));
  EXPECT_EQ(served_cas_, subjects(ca_.certificate));
  EXPECT_EQ(fingerprint(watcher_.poll()), "no pair: ");
}

TEST_F(WatchClientCa, IsReloadedWhenOnlyItChanges) {
  ASSERT_TRUE(watcher_.poll().served);
  const std::string bundle = ca_.certificate + issue_ca(1h).certificate;
  volume_.write("ca.crt", bundle);
  EXPECT_EQ(fingerprint(watcher_.poll()), fingerprint(pair_));
  EXPECT_EQ(served_cas_, subjects(bundle));
}

TEST_F(WatchClientCa, AFailureKeepsTheOldPairAndCasAndIsReportedOnce) {
  ASSERT_TRUE(watcher_.poll().served);
  const Pem next = fresh_pair();
  volume_.write(next);
  volume_.write("ca.crt", "junk");
  EXPECT_NE(watcher_.poll().error.find("ca.crt contains no PEM certificate"), std::string::npos);
  EXPECT_EQ(fingerprint(watcher_.poll()), "no pair: ");
  EXPECT_EQ(served_, fingerprint(pair_)) << "the new pair is not served without its CAs";
  EXPECT_EQ(served_cas_, subjects(ca_.certificate));

  fs::remove(volume_.root() / "ca.crt");
  EXPECT_NE(watcher_.poll().error.find("ca.crt: No such file"), std::string::npos);

  volume_.write("ca.crt", ca_.certificate);
  EXPECT_EQ(fingerprint(watcher_.poll()), fingerprint(next));
  EXPECT_EQ(served_, fingerprint(next));
}

TEST_F(WatchClientCa, AFailureOfThePairKeepsTheOldCas) {
  ASSERT_TRUE(watcher_.poll().served);
  volume_.write("ca.crt", issue_ca(1h).certificate);
  volume_.write("tls.key", "junk");
  EXPECT_NE(watcher_.poll().error, "");
  EXPECT_EQ(served_cas_, subjects(ca_.certificate));
}

TEST(Watch, RefusesFilesThatAreNoSmallRegularFiles) {
  const test::TemporaryFolder folder;
  const auto error_of = [&](const std::string& certificate) {
    Watcher watcher({folder / certificate, folder / "tls.key"}, kServe);
    return watcher.poll().error;
  };
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  folder.write("large", std::string((1 << 20) + 1, 'x'));
  EXPECT_NE(error_of("fifo").find("is not a regular file"), std::string::npos);
  EXPECT_NE(error_of("large").find("is larger than 1048576 bytes"), std::string::npos);
}

TEST(Watch, WarnsOnceAboutAKeyThatEveryUserCanRead) {
  Volume volume;
  volume.write(fresh_pair());
  fs::permissions(volume.root() / "tls.key", fs::perms(0644));
  Watcher watcher(volume.files(), kServe);
  const Watcher::Change change = watcher.poll();
  EXPECT_TRUE(change.served) << "it is still served: " << change.error;
  ASSERT_EQ(change.warnings.size(), 1U);
  EXPECT_NE(change.warnings.front().find("tls.key can be read by every user"), std::string::npos);
  EXPECT_TRUE(watcher.poll().warnings.empty());

  fs::permissions(volume.root() / "tls.key", fs::perms(0440));
  volume.write(fresh_pair());
  EXPECT_TRUE(watcher.poll().warnings.empty());
}

TEST(Watch, ReadsAgainAfterASwapBetweenTwoReads) {
  const Pem before = fresh_pair();
  const Pem after = fresh_pair();
  int reads = 0;
  Watcher watcher({"tls.crt", "tls.key"}, kServe, [&](const fs::path& file) {
    const Pem& pem = reads++ == 0 ? before : after;
    return file == "tls.crt" ? pem.certificate : pem.key;
  });
  const Watcher::Change change = watcher.poll();
  EXPECT_EQ(fingerprint(change), fingerprint(after));
  EXPECT_FALSE(change.has_failed);
}

}  // namespace
}  // namespace winadmit::certs
