package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// patience is how long a server may take to close a connection after the client has closed its side.
const patience = 5 * time.Second

type response struct {
	status  int
	body    string
	close   bool // has Connection: close
	interim int  // number of 1xx responses before it
}

// reply is everything that was received on one connection.
type reply struct {
	client net.Addr
	bytes  []byte
	hung   bool // the server did not close within patience
}

var nextSource atomic.Uint32

// dial connects from a new loopback address each time, because the server limits connections by source address.
func dial(address string) (*tls.Conn, error) {
	n := nextSource.Add(1) % 50_000
	source := net.IPv4(127, 1, byte(n/250), byte(n%250+1))
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: source}, Timeout: patience}
	return tls.DialWithDialer(&dialer, "tcp", address, clientTLS)
}

// send writes each segment as a TLS record, closes the sending side, and reads until the end.
func send(address string, segments [][]byte) (reply, error) {
	connection, err := dial(address)
	if err != nil {
		return reply{}, err
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(patience))
	go func() { // a write may fail: a server that refuses a request stops reading
		for i, segment := range segments {
			if i > 0 {
				time.Sleep(200 * time.Microsecond)
			}
			if _, err := connection.Write(segment); err != nil {
				return
			}
		}
		connection.CloseWrite()
	}()
	all, err := io.ReadAll(connection)
	var timeout net.Error
	return reply{connection.LocalAddr(), all, errors.As(err, &timeout) && timeout.Timeout()}, nil
}

// parse splits received bytes into responses. Response i is to a request with method i.
func parse(all []byte, methods []string) ([]response, error) {
	reader := bufio.NewReader(bytes.NewReader(all))
	var answers []response
	interim := 0
	for {
		if _, err := reader.Peek(1); err != nil {
			return answers, nil
		}
		method := http.MethodPost
		if len(answers) < len(methods) {
			method = methods[len(answers)]
		}
		parsed, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			return answers, fmt.Errorf("answer %d is not HTTP: %w", len(answers)+1, err)
		}
		if parsed.StatusCode/100 == 1 {
			interim++
			continue
		}
		if method == http.MethodHead && parsed.StatusCode == http.StatusBadRequest {
			// The method of a malformed request may be unknown. Go sends such a body too.
			parsed.Body = io.NopCloser(io.LimitReader(reader, parsed.ContentLength))
		}
		body, err := io.ReadAll(parsed.Body)
		if err != nil {
			return answers, fmt.Errorf("the body of answer %d: %w", len(answers)+1, err)
		}
		answers = append(answers, response{parsed.StatusCode, string(body), parsed.Close, interim})
		interim = 0
	}
}
