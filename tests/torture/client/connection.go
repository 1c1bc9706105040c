package main

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// connection is a TLS connection that is opened when it is first used.
type connection struct {
	client *client
	socket *tls.Conn
	reader *bufio.Reader
	sent   time.Time // the last request
}

// serve sends the request of a job, checks the response and counts the result. If the server closed a kept connection
// before it sent a byte, the request is sent again on a new one, as Go's net/http does.
func (c *connection) serve(j job, fresh bool) {
	kept := c.socket != nil
	status, body, err := c.ask(j.request.bytes)
	if kept && errors.Is(err, errUnanswered) {
		j.phase.retry()
		status, body, err = c.ask(j.request.bytes)
	}
	took, waited := time.Since(j.due), time.Since(c.sent)
	switch {
	case err != nil:
		j.phase.fail(plain(err), fresh)
	case status == 503:
		j.phase.busy(waited, fresh)
	case status != 200:
		j.phase.fail(fmt.Sprintf("status %d", status), fresh)
	case string(body) != j.request.answer:
		j.phase.wrong()
	default:
		j.phase.right(took, waited)
	}
}

// errUnanswered means that the connection ended before the first byte of a response.
var errUnanswered = errors.New("closed without an answer")

// ask sends a request and reads the response. It closes the connection after an error.
func (c *connection) ask(request []byte) (status int, body []byte, err error) {
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.socket == nil {
		if err = c.open(); err != nil {
			return 0, nil, err
		}
	}
	c.sent = time.Now()
	c.socket.SetDeadline(c.sent.Add(c.client.timeout))
	if _, err = c.socket.Write(request); err != nil {
		return 0, nil, unanswered(err)
	}
	if _, err = c.reader.Peek(1); err != nil {
		return 0, nil, unanswered(err)
	}
	return c.answer()
}

func (c *connection) open() error {
	socket, err := c.client.dial()
	if err != nil {
		return fmt.Errorf("connect: %s", plain(err))
	}
	c.socket, c.reader = socket, bufio.NewReaderSize(socket, 4096)
	return nil
}

func (c *connection) answer() (status int, body []byte, err error) {
	length, last := -1, false
	for first := true; ; first = false {
		line, err := c.reader.ReadString('\n')
		if err != nil {
			return 0, nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if first {
			if len(line) < 12 {
				return 0, nil, errors.New("no status line")
			}
			status, _ = strconv.Atoi(line[9:12])
		} else if strings.EqualFold(name, "content-length") {
			length, _ = strconv.Atoi(value)
		} else if strings.EqualFold(name, "connection") {
			last = strings.EqualFold(value, "close")
		} else if line == "" {
			break
		}
	}
	if length < 0 {
		return 0, nil, errors.New("no Content-Length")
	}
	body = make([]byte, length)
	if _, err = io.ReadFull(c.reader, body); err == nil && last {
		c.close()
	}
	return status, body, err
}

func (c *connection) close() {
	if c.socket != nil {
		c.socket.NetConn().Close()
		c.socket = nil
	}
}

func unanswered(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return errUnanswered
	}
	return err
}

// plain returns the text of an error without ports, so that equal errors are counted together.
func plain(err error) string {
	var operation *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "timeout"
	case errors.As(err, &operation):
		return operation.Op + ": " + operation.Err.Error()
	}
	return err.Error()
}
