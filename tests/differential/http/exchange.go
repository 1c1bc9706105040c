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

// patience is how long a server may take to end a connection whose client has nothing more to say.
const patience = 5 * time.Second

// answer is one response.
type answer struct {
	status  int
	body    string
	close   bool // it says that no other follows
	interim int  // 1xx answers before it
}

// reply is all that came back on one connection.
type reply struct {
	client net.Addr
	bytes  []byte
	hung   bool // the server neither answered nor closed
}

var nextSource atomic.Uint32

// dial connects from a loopback address of its own, as limits may be held for each source.
func dial(address string) (*tls.Conn, error) {
	n := nextSource.Add(1) % 50_000
	source := net.IPv4(127, 1, byte(n/250), byte(n%250+1))
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: source}, Timeout: patience}
	return tls.DialWithDialer(&dialer, "tcp", address, clientTLS)
}

// send writes each segment as a TLS record, then says that nothing follows, and reads to the end.
func send(address string, segments [][]byte) (reply, error) {
	connection, err := dial(address)
	if err != nil {
		return reply{}, err
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(patience))
	go func() { // a server that refuses may stop reading: that is no failure of the client
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

// parse divides what came back into answers, the i-th of which is to the i-th method.
func parse(all []byte, methods []string) ([]answer, error) {
	reader := bufio.NewReader(bytes.NewReader(all))
	var answers []answer
	interim := 0
	for {
		if _, err := reader.Peek(1); err != nil {
			return answers, nil
		}
		method := http.MethodPost
		if len(answers) < len(methods) {
			method = methods[len(answers)]
		}
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			return answers, fmt.Errorf("answer %d is not HTTP: %w", len(answers)+1, err)
		}
		if response.StatusCode/100 == 1 {
			interim++
			continue
		}
		if method == http.MethodHead && response.StatusCode == http.StatusBadRequest {
			// The method of what is malformed may not be known: Go sends such a body, too.
			response.Body = io.NopCloser(io.LimitReader(reader, response.ContentLength))
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return answers, fmt.Errorf("the body of answer %d: %w", len(answers)+1, err)
		}
		answers = append(answers, answer{response.StatusCode, string(body), response.Close, interim})
		interim = 0
	}
}
