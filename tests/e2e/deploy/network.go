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

// Network is a bridge on this machine with network namespaces on it, so that pods have addresses
// that are not loopback: the API server refuses to call a webhook there.
type Network struct {
	id   string // of all that is ours: the process id
	used int
}

const namespacePrefix = "winadmit-e2e-"

// NewNetwork needs root. It removes what a run left behind that was killed.
func NewNetwork() (*Network, error) {
	removeStale()
	n := &Network{id: strconv.Itoa(os.Getpid())}
	return n, errors.Join(
		ip("link", "add", n.bridge(), "type", "bridge"),
		ip("address", "add", n.address(1)+"/24", "dev", n.bridge()),
		ip("link", "set", n.bridge(), "up"))
}

// Close removes the bridge and every namespace that is left on it.
func (n *Network) Close() {
	for number := 2; number < 2+n.used; number++ {
		n.Remove(number)
	}
	ip("link", "delete", n.bridge())
}

// Add makes a namespace with an address and returns its number, which names it.
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

// Remove takes the namespace away; its link goes with it.
func (n *Network) Remove(number int) {
	exec.Command("ip", "netns", "delete", n.Namespace(number)).Run()
}

// Namespace is the name that `ip netns exec` takes.
func (n *Network) Namespace(number int) string {
	return fmt.Sprintf("%s%s-%d", namespacePrefix, n.id, number)
}

// address is of 198.18.0.0/15, which is set aside for tests: nobody's route goes there.
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
