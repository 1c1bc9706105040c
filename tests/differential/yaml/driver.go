package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// result is what a reader makes of a text: the documents up to the first error.
type result struct {
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error"`
}

type driver struct {
	in  io.Writer
	out *bufio.Reader
}

func startDriver(program string) (*driver, error) {
	command := exec.Command(program)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &driver{in: in, out: bufio.NewReader(out)}, command.Start()
}

func (d *driver) read(text []byte) (result, error) {
	var r result
	if _, err := fmt.Fprintf(d.in, "%d\n%s", len(text), text); err != nil {
		return r, err
	}
	line, err := d.out.ReadBytes('\n')
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(line, &r)
}
