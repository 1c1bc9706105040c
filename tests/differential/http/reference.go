package main

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
)

// maxBody is the limit of both servers for a request body.
const maxBody = 7 << 20

// seen is a request as Go's server passes it to its handler.
type seen struct {
	method      string
	target      string // without scheme and host
	contentType []string
	body        []byte
	whole       bool // the body is complete
}

// reference is Go's net/http server with a handler that records each request and responds with 200.
type reference struct {
	address string
	server  *http.Server
	mutex   sync.Mutex
	records map[string]*record // by the address of the client
}

// record has the requests of one connection.
type record struct {
	mutex sync.Mutex
	seen  []seen
}

type recordKey struct{}

func startReference(certificate tls.Certificate) (*reference, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &reference{address: listener.Addr().String(), records: map[string]*record{}}
	r.server = &http.Server{
		Handler:                      http.HandlerFunc(serve),
		ConnContext:                  r.attach,
		DisableGeneralOptionsHandler: true,
		TLSConfig:                    &tls.Config{Certificates: []tls.Certificate{certificate}},
		TLSNextProto:                 map[string]func(*http.Server, *tls.Conn, http.Handler){}, // HTTP/1.1 alone
		ErrorLog:                     log.New(io.Discard, "", 0),
	}
	go r.server.ServeTLS(listener, "", "")
	return r, nil
}

func (r *reference) stop() { r.server.Close() }

func (r *reference) attach(ctx context.Context, connection net.Conn) context.Context {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	entry := &record{}
	r.records[connection.RemoteAddr().String()] = entry
	return context.WithValue(ctx, recordKey{}, entry)
}

// take removes and returns the requests of a closed connection.
func (r *reference) take(client net.Addr) []seen {
	r.mutex.Lock()
	entry := r.records[client.String()]
	delete(r.records, client.String())
	r.mutex.Unlock()
	if entry == nil {
		return nil
	}
	entry.mutex.Lock()
	defer entry.mutex.Unlock()
	return entry.seen
}

func serve(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBody))
	target := request.RequestURI
	if scheme := request.URL.Scheme; request.URL.Host != "" && (scheme == "http" || scheme == "https") {
		target = request.URL.RequestURI()
	}
	entry := request.Context().Value(recordKey{}).(*record)
	entry.mutex.Lock()
	entry.seen = append(entry.seen, seen{strings.Clone(request.Method), target,
		request.Header.Values("Content-Type"), body, err == nil})
	entry.mutex.Unlock()
	if err != nil {
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusBadRequest)
	}
}
