package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// servers are the two that are compared, with the same certificate.
type servers struct {
	reference *reference
	winadmit  *process
	canonical *canonical
	folder    string
}

func startServers(binary string, flags []string) (*servers, error) {
	folder, err := os.MkdirTemp("", "winadmit-differential-")
	if err != nil {
		return nil, err
	}
	s := &servers{folder: folder}
	certificate, err := issuePair(folder)
	if err == nil {
		s.reference, err = startReference(certificate)
	}
	if err == nil {
		s.winadmit, err = startWinadmit(binary, folder, flags)
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	s.canonical = newCanonical(s.winadmit.address)
	return s, nil
}

func (s *servers) stop() {
	if s.winadmit != nil {
		s.winadmit.stop()
	}
	if s.reference != nil {
		s.reference.stop()
	}
	os.RemoveAll(s.folder)
}

// process is one running `winadmit serve`.
type process struct {
	address string
	command *exec.Cmd
	ended   chan struct{}
	mutex   sync.Mutex
	tail    bytes.Buffer // the last of what it printed
}

// startWinadmit returns when the server has said where it listens.
func startWinadmit(binary, folder string, flags []string) (*process, error) {
	arguments := append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--tls-cert", filepath.Join(folder, "tls.crt"), "--tls-key", filepath.Join(folder, "tls.key"),
		"--drain-delay", "0", "--log-format", "json"}, flags...)
	command := exec.Command(binary, arguments...)
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{command: command, ended: make(chan struct{})}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		return nil, err
	}
	listens := make(chan string, 1)
	go p.follow(bufio.NewScanner(output), listens)
	select {
	case p.address = <-listens:
		return p, nil
	case <-p.ended:
		return nil, errors.New("winadmit ended: " + p.lastOutput())
	case <-time.After(10 * time.Second):
		p.stop()
		return nil, errors.New("winadmit does not listen: " + p.lastOutput())
	}
}

func (p *process) follow(lines *bufio.Scanner, listens chan<- string) {
	for lines.Scan() {
		var line struct{ Msg, Message, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Listen != "" {
			select {
			case listens <- line.Listen:
			default:
			}
		}
		p.mutex.Lock()
		if p.tail.Len() > 1<<16 {
			p.tail.Reset()
		}
		fmt.Fprintf(&p.tail, "%s\n", lines.Text())
		p.mutex.Unlock()
	}
	p.command.Wait()
	close(p.ended)
}

func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *process) lastOutput() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	text := p.tail.Bytes()
	state := ""
	if p.command.ProcessState != nil {
		state = p.command.ProcessState.String() + "\n"
	}
	return state + string(text[max(0, len(text)-2000):])
}

func (p *process) stop() {
	if p.running() {
		p.command.Process.Kill()
		<-p.ended
	}
}

// http1 is the TLS of every client here: the servers' certificate is made for this run.
var http1 = &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"},
	ClientSessionCache: tls.NewLRUClientSessionCache(64)}
