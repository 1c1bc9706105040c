module winadmit/tests/differential/http

go 1.24

require winadmit/tests/e2e v0.0.0

replace winadmit/tests/e2e => ../../e2e
