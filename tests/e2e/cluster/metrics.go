package cluster

import (
	"bufio"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Metrics returns the values of /metrics on an admin URL, by name and labels as the server prints them.
func Metrics(adminURL string) (map[string]float64, error) {
	response, err := http.Get(adminURL + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	values := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		line := lines.Text()
		space := strings.LastIndexByte(line, ' ') // label values may contain spaces
		if space < 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if values[line[:space]], err = strconv.ParseFloat(line[space+1:], 64); err != nil {
			return nil, fmt.Errorf("metric %s: %w", line, err)
		}
	}
	return values, nil
}
