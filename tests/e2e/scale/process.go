package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winadmit/tests/e2e/cluster"
)

// What /proc says about the processes of a group: a program, and in a container the shell that started it.

func group(p *cluster.Process, visit func(stat []string, folder string)) {
	if p == nil {
		return
	}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		content, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in parentheses, may contain spaces.
		stat := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
		if stat[2] == strconv.Itoa(p.Pid()) { // the process group
			visit(stat, folder)
		}
	}
}

// cpuOf returns the CPU time of a process so far.
func cpuOf(p *cluster.Process) (sum time.Duration) {
	group(p, func(stat []string, _ string) {
		var user, system int64
		fmt.Sscan(stat[11], &user)
		fmt.Sscan(stat[12], &system)
		sum += time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100 on every Linux
	})
	return sum
}

// peakMemory returns the largest resident size of a process so far, in bytes.
func peakMemory(p *cluster.Process) (largest float64) {
	group(p, func(_ []string, folder string) {
		status, _ := os.ReadFile(filepath.Join(folder, "status"))
		for _, line := range strings.Split(string(status), "\n") {
			if value, found := strings.CutPrefix(line, "VmHWM:"); found {
				var kilobytes float64
				fmt.Sscan(value, &kilobytes)
				largest = max(largest, kilobytes*1024)
			}
		}
	})
	return largest
}
