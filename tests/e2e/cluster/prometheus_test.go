package cluster

import "testing"

func TestRulesRunFaster(t *testing.T) {
	for _, each := range []struct{ rule, want string }{
		{"rate(x[5m])", "rate(x[10000ms])"},
		{"last_over_time(x[1d] offset 15m)", "last_over_time(x[2880000ms] offset 30000ms)"},
		{"for: 2m", "for: 4000ms"},
		{"increase15m > 14 * 86400", "increase15m > 14 * 86400"},
	} {
		if got := faster(each.rule); got != each.want {
			t.Errorf("%s becomes %s, not %s", each.rule, got, each.want)
		}
	}
}
