package main

import (
	"fmt"
	"net/http"
	"sync"
)

// canonical asks winadmit what it answers to a request in its plainest form. The raw form of the
// request must bring the same answer: so both were read as the same method, target and body.
type canonical struct {
	address string
	mutex   sync.Mutex
	known   map[string]answer
}

func newCanonical(address string) *canonical {
	return &canonical{address: address, known: map[string]answer{}}
}

// ask returns the answer to the plain form. Where a request has Content-Type more than once, it
// returns the answer that equals got, if any: which one counts is not looked at here.
func (c *canonical) ask(one seen, got answer) (want answer, err error) {
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

func (c *canonical) answer(form, method string) (answer, error) {
	c.mutex.Lock()
	known, found := c.known[form]
	c.mutex.Unlock()
	if found {
		return known, nil
	}
	reply, err := send(c.address, [][]byte{[]byte(form)})
	if err != nil {
		return answer{}, err
	}
	answers, err := parse(reply.bytes, []string{method})
	if method == http.MethodHead && len(answers) == 1 {
		err = nil // the comparison itself tells of bytes behind the answer
	}
	if err != nil || len(answers) != 1 {
		return answer{}, fmt.Errorf("%d answers to %.1000q: %.1000q %w", len(answers), form, reply.bytes, err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.known[form] = answers[0]
	return answers[0], nil
}
