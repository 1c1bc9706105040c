package main

import (
	"fmt"
	"net/http"
	"sync"
)

// canonical sends requests to winadmit in their simplest form. If the original form has the same response, winadmit has
// read the same method, target and body.
type canonical struct {
	address string
	mutex   sync.Mutex
	known   map[string]response
}

func newCanonical(address string) *canonical {
	return &canonical{address: address, known: map[string]response{}}
}

// ask returns the response to the simplest form. If a request has several Content-Type fields, any of them may count: it
// returns the response that equals got, if there is one.
func (c *canonical) ask(one seen, got response) (want response, err error) {
	if len(one.contentType) == 0 {
		return c.answer(plainForm(one, ""), one.method)
	}
	for _, value := range one.contentType {
		want, err = c.answer(plainForm(one, "Content-Type: "+value+"\r\n"), one.method)
		if err != nil || want.status == got.status && want.body == got.body {
			return want, err
		}
	}
	return want, nil
}

func plainForm(one seen, contentType string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s",
		one.method, one.target, contentType, len(one.body), one.body)
}

func (c *canonical) answer(form, method string) (response, error) {
	c.mutex.Lock()
	known, found := c.known[form]
	c.mutex.Unlock()
	if found {
		return known, nil
	}
	reply, err := send(c.address, [][]byte{[]byte(form)})
	if err != nil {
		return response{}, err
	}
	answers, err := parse(reply.bytes, []string{method})
	if method == http.MethodHead && len(answers) == 1 {
		err = nil // the comparison reports bytes after the response
	}
	if err != nil || len(answers) != 1 {
		return response{}, fmt.Errorf("%d answers to %.1000q: %.1000q %w", len(answers), form, reply.bytes, err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.known[form] = answers[0]
	return answers[0], nil
}
