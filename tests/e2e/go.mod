module winadmit/tests/e2e

go 1.24
