module winadmit/tools/pod-api

go 1.24
