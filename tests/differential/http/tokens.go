package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// checkTokens sends requests with Go's client and bearer tokens of 1 to 4.5 KB, like those of service accounts. The client
// writes the head through a buffer of 4 KiB. Every request must get a response.
func checkTokens(s *servers, r *report, o options) {
	transport := &http.Transport{TLSClientConfig: clientTLS.Clone(), DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
		return dial(s.winadmit.address)
	}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: patience}
	for size := 1024; size <= 4608; size += 512 {
		name := fmt.Sprintf("token of %d bytes", size)
		if !o.run.MatchString(name) {
			continue
		}
		for range o.tokens {
			if fault := askWithToken(client, s.winadmit.address, strings.Repeat("t", size)); fault != "" {
				r.fail(name, "token: no review", "    "+fault+"\n")
			} else {
				r.pass()
			}
		}
	}
}

func askWithToken(client *http.Client, address, token string) (fault string) {
	request, err := http.NewRequest(http.MethodPost, "https://"+address+"/validate?timeout=10s", strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(text), `"uid":"5f0c2f3e`) {
		return fmt.Sprintf("%d %.200q %v", response.StatusCode, text, err)
	}
	return ""
}
