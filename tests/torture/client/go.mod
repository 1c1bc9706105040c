module winadmit.dev/tests/torture/client

go 1.19
