module winadmit/tests/differential/http

go 1.24
