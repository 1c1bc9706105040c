package deploy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// Network is a bridge with network namespaces, so that pods have addresses other than loopback: the API server refuses to
// call webhooks on loopback.
type Network struct {
	id   string // the process id, part of all names
	used int
}

const namespacePrefix = "winadmit-e2e-"

// NewNetwork creates the bridge, and removes what killed runs have left. It needs root.
func NewNetwork() (*Network, error) {
	removeStale()
	n := &Network{id: strconv.Itoa(os.Getpid())}
	return n, errors.Join(
		ip("link", "add", n.bridge(), "type", "bridge"),
		ip("address", "add", n.address(1)+"/24", "dev", n.bridge()),
		ip("link", "set", n.bridge(), "up"))
}

// Close removes the bridge and all namespaces.
func (n *Network) Close() {
	for number := 2; number < 2+n.used; number++ {
		n.Remove(number)
	}
	ip("link", "delete", n.bridge())
}

// Add creates a namespace with an address and returns its number.
func (n *Network) Add() (int, error) {
	number := 2 + n.used
	n.used++
	name, outside, inside := n.Namespace(number), n.link(number, "o"), n.link(number, "i")
	return number, errors.Join(
		ip("netns", "add", name),
		ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name),
		ip("link", "set", outside, "master", n.bridge(), "up"),
		ip("-n", name, "address", "add", n.address(number)+"/24", "dev", inside),
		ip("-n", name, "link", "set", inside, "up"),
		ip("-n", name, "link", "set", "lo", "up"))
}

// Remove deletes a namespace and its link.
func (n *Network) Remove(number int) {
	exec.Command("ip", "netns", "delete", n.Namespace(number)).Run()
}

// Namespace returns the name for `ip netns exec`.
func (n *Network) Namespace(number int) string {
	return fmt.Sprintf("%s%s-%d", namespacePrefix, n.id, number)
}

// address returns an address of 198.18.0.0/15, which is reserved for tests.
func (n *Network) address(number int) string {
	pid, _ := strconv.Atoi(n.id)
	return fmt.Sprintf("198.18.%d.%d", pid%256, number)
}

func (n *Network) bridge() string { return "wabr" + n.id }
func (n *Network) link(number int, side string) string {
	return fmt.Sprintf("wa%s%s%d", side, n.id, number)
}

func removeStale() {
	names, _ := exec.Command("ip", "netns", "list").Output()
	for _, line := range strings.Split(string(names), "\n") {
		name, _, _ := strings.Cut(line, " ")
		id, _, _ := strings.Cut(strings.TrimPrefix(name, namespacePrefix), "-")
		pid, err := strconv.Atoi(id)
		if err != nil || !strings.HasPrefix(name, namespacePrefix) || syscall.Kill(pid, 0) == nil {
			continue
		}
		exec.Command("ip", "netns", "delete", name).Run()
		exec.Command("ip", "link", "delete", "wabr"+id).Run()
	}
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
