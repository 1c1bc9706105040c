package stream

// All is a stream of each kind of pod at the same time: Linux, Windows, unsupported.
type All []*Stream

// StartAll starts the three streams.
func StartAll(create Create) All {
	return All{Start(create, "Linux pods", Linux, Admitted), Start(create, "Windows pods", Windows, Placed),
		Start(create, "unsupported pods", Unsupported, Refused)}
}

// Stop ends the streams and returns the counts of each, in their order.
func (all All) Stop() []Counts {
	var counts []Counts
	for _, s := range all {
		s.cancel() // all at the same time
	}
	for _, s := range all {
		counts = append(counts, s.Stop())
	}
	return counts
}
