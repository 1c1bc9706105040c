//! A typical fast Rust webhook: hyper over rustls, kube's AdmissionReview with a typed Pod, one thread. It has the rules of
//! the controller-runtime peer.

mod review;
mod target;
mod tls;
mod validate;

use std::convert::Infallible;
use std::error::Error;
use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const LARGEST_BODY: usize = 7 << 20;
const IDLE: Duration = Duration::from_secs(120);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, port, certificate, key] = words.as_slice() else {
        return Err("usage: rust-peer PORT CERT KEY".into());
    };
    let acceptor = tls::acceptor(certificate, key)?;
    let port = port.parse()?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(accept(port, acceptor))
}

async fn accept(port: u16, acceptor: TlsAcceptor) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(serve(acceptor.clone(), socket));
    }
}

async fn serve(acceptor: TlsAcceptor, socket: TcpStream) {
    let Ok(stream) = acceptor.accept(socket).await else {
        return;
    };
    // Errors of a connection are ignored.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE) // also applies between requests
        .serve_connection(TokioIo::new(stream), service_fn(answer))
        .await;
}

async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let judge: review::Judge = match request.uri().path() {
        "/validate" => review::validate,
        "/mutate" => review::mutate,
        _ => return Ok(plain(StatusCode::NOT_FOUND)),
    };
    let Ok(body) = Limited::new(request.into_body(), LARGEST_BODY).collect().await else {
        return Ok(plain(StatusCode::BAD_REQUEST));
    };
    let Some(reply) = review::reply(&body.to_bytes(), judge) else {
        return Ok(plain(StatusCode::BAD_REQUEST));
    };
    let mut response = Response::new(Full::from(reply));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn plain(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
