package danger

// bars are what TestClosed holds, in percent: a little less than what was reached.
type bars struct{ found, right, alarms float64 }

var (
	strangers = bars{found: 96.5, right: 97.0, alarms: 0.34}
	oneMore   = bars{found: 92.0, right: 92.0, alarms: 1.30}
	fourth    = bars{found: 95.5, right: 95.0, alarms: 2.00}
)
