package main

import (
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"winadmit/tests/e2e/cluster"
)

// servers are the two servers that are compared. They have the same certificate.
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
	var certificate tls.Certificate
	if err = cluster.IssuePair(folder, "localhost"); err == nil {
		certificate, err = tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	}
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
		s.winadmit.Stop(0)
	}
	if s.reference != nil {
		s.reference.stop()
	}
	os.RemoveAll(s.folder)
}

// process is a running `winadmit serve`.
type process struct {
	*cluster.Process
	address string
}

// startWinadmit starts the server and waits until it is ready.
func startWinadmit(binary, folder string, flags []string) (*process, error) {
	ports, err := cluster.FreePorts(2)
	if err != nil {
		return nil, err
	}
	address, adminAddress := fmt.Sprintf("127.0.0.1:%d", ports[0]), fmt.Sprintf("127.0.0.1:%d", ports[1])
	p, err := cluster.Launch("winadmit", folder, binary, append([]string{"serve",
		"--listen", address, "--admin-listen", adminAddress,
		"--tls-cert", filepath.Join(folder, "tls.crt"), "--tls-key", filepath.Join(folder, "tls.key"),
		"--drain-delay", "0", "--log-format", "json"}, flags...)...)
	if err != nil {
		return nil, err
	}
	err = p.Await(10*time.Second, func() bool { return cluster.IsReady("http://" + adminAddress) })
	if err != nil {
		p.Stop(0)
		return nil, err
	}
	return &process{p, address}, nil
}

// clientTLS is the TLS configuration of every client. The certificate is issued for this run.
var clientTLS = &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"},
	ClientSessionCache: tls.NewLRUClientSessionCache(64)}
