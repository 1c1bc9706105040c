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
		name, value, found := strings.Cut(lines.Text(), " ")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		if values[name], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("metric %s: %w", name, err)
		}
	}
	return values, nil
}
