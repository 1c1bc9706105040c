#include "server/transport/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstring>
#include <new>
#include <type_traits>

namespace winadmit::server {
namespace {

/// The most that OpenSSL allocates for an incomplete ClientHello: the size that it announces.
constexpr std::size_t kClientHelloSize = 128 * 1024;

/// How many key updates OpenSSL may read, and how many records it may send, while it decrypts the
/// bytes of one receive. Each costs as much as a small request, and a receive has space for 2,400.
constexpr int kMaxMessagesPerReceive = 16;

/// Assigning an empty one would keep the memory.
void free_memory(auto& bytes) { std::decay_t<decltype(bytes)>().swap(bytes); }

/// Why the last call failed: what OpenSSL finds, or the alert that the client sent. Go, and so the
/// API server, sends bad_certificate whatever is wrong with a certificate, OpenSSL unknown_ca or
/// certificate_expired, and Java certificate_unknown.
HandshakeFailure failure_of(const SSL* session) {
  // The last error is the reason. Errors before it may say why a signature of the client's
  // certificate is wrong.
  const unsigned long error = ERR_peek_last_error();
  if (ERR_GET_LIB(error) != ERR_LIB_SSL) return HandshakeFailure::other;
  switch (ERR_GET_REASON(error)) {
    case SSL_R_HTTP_REQUEST:
      return HandshakeFailure::plain_http;
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      return HandshakeFailure::client_certificate;
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
      break;
    default:
      return HandshakeFailure::other;
  }
  const X509* const served = SSL_get_certificate(session);
  const bool has_expired =
      ERR_GET_REASON(error) == SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED ||
      (served != nullptr && X509_cmp_current_time(X509_get0_notAfter(served)) < 0);
  return has_expired ? HandshakeFailure::expired : HandshakeFailure::untrusted;
}

}  // namespace

const BIO_METHOD* TlsStream::bio_method() {
  static const BIO_METHOD* method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "TlsStream");
    if (made == nullptr) throw std::bad_alloc();
    BIO_meth_set_read(made, bio_read);
    BIO_meth_set_write(made, bio_write);
    BIO_meth_set_ctrl(made, [](BIO*, int command, long, void*) -> long {
      return command == BIO_CTRL_FLUSH ? 1 : 0;
    });
    return made;
  }();
  return method;
}

int TlsStream::bio_read(BIO* bio, char* to, int size) {
  auto& stream = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (stream.key_updates_ > kMaxMessagesPerReceive) return -1;
  if (stream.input_.empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const std::size_t count = stream.input_.copy(to, static_cast<std::size_t>(size));
  stream.input_.remove_prefix(count);
  return static_cast<int>(count);
}

int TlsStream::bio_write(BIO* bio, const char* from, int size) {
  auto& stream = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (stream.is_decrypting_ && ++stream.records_sent_ > kMaxMessagesPerReceive) return -1;
  try {
    stream.send({from, static_cast<std::size_t>(size)});
  } catch (const std::bad_alloc&) {  // must not pass through OpenSSL
    return -1;
  }
  return size;
}

void TlsStream::count_key_update(int is_sent, int, int type, const void* message, std::size_t size,
                                 SSL*, void* stream) {
  const bool is_key_update = is_sent == 0 && type == SSL3_RT_HANDSHAKE && size > 0 &&
                             *static_cast<const unsigned char*>(message) == SSL3_MT_KEY_UPDATE;
  if (is_key_update) ++static_cast<TlsStream*>(stream)->key_updates_;
}

TlsStream::TlsStream(Socket& socket, SSL_CTX* context, std::span<char> scratch,
                     ConnectionTable::Row& row)
    : socket_(socket), scratch_(scratch), row_(row), ssl_(SSL_new(context)) {
  BIO* bio = ssl_ ? BIO_new(bio_method()) : nullptr;
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_accept_state(ssl_.get());
  SSL_set_msg_callback(ssl_.get(), count_key_update);
  SSL_set_msg_callback_arg(ssl_.get(), this);
  // Saves 33 KB of the 45 KB of an idle connection.
  SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS);
}

TlsStream::~TlsStream() { row_.release(reserved_); }

Task<error_code> TlsStream::handshake() {
  for (;;) {
    if (const error_code error = receive()) co_return error;
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    const int want = SSL_get_error(ssl_.get(), result);
    // Before the next wait: other sessions of the thread use the same error queue.
    if (want == SSL_ERROR_SSL) handshake_failure_ = failure_of(ssl_.get());
    // The rest is kept over the wait, because scratch_ is shared.
    early_input_.assign(input_.begin(), input_.end());
    input_ = {early_input_.data(), early_input_.size()};
    if (const error_code error = co_await flush()) co_return error;
    if (result == 1) co_return error_code{};
    if (want != SSL_ERROR_WANT_READ) co_return asio::error::connection_aborted;
    if (!reserve_buffers()) co_return asio::error::no_buffer_space;
    error_code error;
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (error) co_return error;
  }
}

Task<error_code> TlsStream::read(ReceiveBuffer& to) {
  if (input_.empty()) {
    error_code error = co_await prepare_to_wait();
    if (error) co_return error;
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (error) co_return error;
  }
  co_return read_available(to);
}

Task<error_code> TlsStream::prepare_to_wait() {
  if (!unsent_.empty()) {
    if (const error_code error = co_await flush()) co_return error;
  }
  if (is_at_end_) co_return end_of_session();
  co_return reserve_buffers() ? error_code{} : asio::error::no_buffer_space;
}

/// Nothing may wait between receive() and the end of decrypt(), because scratch_ is shared.
error_code TlsStream::read_available(ReceiveBuffer& to) {
  if (is_at_end_) return end_of_session();
  if (input_.empty()) {
    if (const error_code error = receive()) return error;
  }
  return decrypt(to);
}

error_code TlsStream::end_of_session() const {
  if (has_failed_) return asio::error::connection_aborted;
  return asio::error::eof;
}

error_code TlsStream::receive() {
  error_code error;
  const std::size_t count =
      socket_.read_some(asio::buffer(scratch_.data(), scratch_.size()), error);
  if (error == asio::error::would_block) return {};  // a spurious wake-up
  input_ = {scratch_.data(), count};
  return error;
}

/// Decrypts all of input_ and appends the content, unless the session ends before.
error_code TlsStream::decrypt(ReceiveBuffer& to) {
  if (!to.reserve(input_.size())) return asio::error::no_buffer_space;
  is_decrypting_ = true;
  records_sent_ = key_updates_ = 0;
  error_code error;
  while (!is_at_end_) {
    if (to.free_size() == 0 && !to.reserve(kRecordSize)) {
      error = asio::error::no_buffer_space;
      break;
    }
    std::size_t count = 0;
    ERR_clear_error();
    if (SSL_read_ex(ssl_.get(), to.free_begin(), to.free_size(), &count) != 1) {
      const int want = SSL_get_error(ssl_.get(), 0);
      has_failed_ = want != SSL_ERROR_WANT_READ && want != SSL_ERROR_ZERO_RETURN;
      is_at_end_ = want != SSL_ERROR_WANT_READ;
      break;
    }
    to.commit(count);
  }
  is_decrypting_ = false;
  if (to.empty()) to.clear();
  input_ = {};
  free_memory(early_input_);
  return error;
}

void TlsStream::write(std::string_view bytes) {
  if (has_failed_ || bytes.empty()) return;
  std::size_t written = 0;
  ERR_clear_error();
  if (SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) != 1) {
    is_at_end_ = has_failed_ = true;
  }
}

/// Usually the socket takes the whole record, directly from OpenSSL's buffer.
void TlsStream::send(std::string_view record) {
  if (unsent_.empty()) {
    error_code error;  // flush() gets the same error
    record.remove_prefix(socket_.write_some(asio::buffer(record.data(), record.size()), error));
  }
  unsent_ += record;
}

Task<error_code> TlsStream::flush() {
  error_code error;
  std::size_t sent = 0;
  if (!unsent_.empty() && !reserve_buffers()) co_return asio::error::no_buffer_space;
  while (sent < unsent_.size() && !error) {
    sent += co_await socket_.async_write_some(asio::buffer(unsent_) + sent,
                                              asio::redirect_error(use_task, error));
  }
  free_memory(unsent_);
  co_return error;
}

std::size_t TlsStream::openssl_buffer_size() const {
  if (SSL_get_state(ssl_.get()) == TLS_ST_SR_CLNT_HELLO) return kClientHelloSize;
  return has_part_of_record() ? kRecordSize : 0;
}

bool TlsStream::has_part_of_record() const {
  // "RB", read body: it has the header of a record and waits for the rest.
  return SSL_has_pending(ssl_.get()) == 1 ||
         std::string_view(SSL_rstate_string(ssl_.get())) == "RB";
}

bool TlsStream::reserve_buffers() {
  const std::size_t needed = openssl_buffer_size() + early_input_.size() + unsent_.size();
  if (needed > reserved_ && !row_.reserve(needed - reserved_)) return false;
  if (needed < reserved_) row_.release(reserved_ - needed);
  reserved_ = needed;
  return true;
}

Task<void> TlsStream::lingering_close(std::size_t max_bytes) {
  input_ = {};
  free_memory(early_input_);
  if (!has_failed_) SSL_shutdown(ssl_.get());
  error_code error = co_await flush();
  socket_.shutdown(Tcp::socket::shutdown_send, error);
  while (!error && max_bytes > 0) {
    co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(use_task, error));
    if (!error) error = receive();
    max_bytes -= std::min(max_bytes, input_.size());
  }
}

}  // namespace winadmit::server
