module winadmit/tests/differential/sarif

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	// For the schema in its test data: the schema is in no module of its own.
	github.com/securego/gosec/v2 v2.30.0
)

require golang.org/x/text v0.43.0 // indirect
