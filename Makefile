# The doors of winadmit: thin over CMake presets, quick when nothing changed.
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)

.PHONY: help setup build run test lint asan tsan fuzz image deploy-test bench bench-micro bench-budget cluster e2e differential torture tls-scan

help: ## list the doors
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install the Debian packages that are missing
	@tools/setup.sh build test

build: setup ## build a release: build/release/winadmit
	@test -f build/release/build.ninja || cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

run: build ## serve on loopback with a self-signed pair, and print a curl line to try
	@build/release/winadmit serve --dev

test: build ## every unit and integration test
	@tests/run.sh release

lint: setup ## clang-format and clang-tidy
	@tools/setup.sh lint
	@cmake --preset clang >/dev/null
	@tools/lint.sh

asan: setup ## every test under AddressSanitizer and UBSan, warnings as errors (gcc)
	@tools/setup.sh lint
	@tests/run.sh asan

tsan: setup ## the server's tests under ThreadSanitizer, warnings as errors (clang)
	@tools/setup.sh lint
	@tests/run.sh tsan -R 'Server|Wire|Listener|Connection|Reload|Metrics'

fuzz: setup ## libFuzzer over connections, reviews, configurations and certificates, SECONDS=60 altogether (clang)
	@tools/setup.sh lint
	@tests/fuzz/run.sh $(SECONDS)

VERSION := $(shell sed -n '/^project/s/.* VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)

image: build ## an OCI image from scratch: build/image/winadmit.oci.tar, with its bill of materials
	@tools/setup.sh image
	@deploy/image/build.py --binary build/release/winadmit --build-dir build/release --version $(VERSION)

deploy-test: build ## the image, manifests, chart and alerts, without a cluster
	@tools/setup.sh image deploy
	@tests/deploy/run.sh

bench: setup ## winadmit beside what one would pick instead, in one run: docs/benchmarks.md; QUICK=1 for a look
	@tools/setup.sh bench
	@tests/bench/build.sh
	@tests/bench/bench.py $(if $(QUICK),--quick)

bench-micro: setup ## parse, target, place, validate, render: the time of each alone
	@tools/setup.sh bench
	@tests/bench/build.sh micro
	@python3 tests/bench/bodies.py build/bench/bodies
	@build/release/tests/bench/bench_micro

bench-budget: setup ## their instruction counts against tests/bench/budget.json: over 5 % more fails, and so does work that is not linear
	@tools/setup.sh bench
	@tests/bench/build.sh micro
	@tests/bench/budget.py

cluster: build ## a real control plane with Windows and Linux nodes and winadmit in front, to play with
	@tests/e2e/build-tools.sh >/dev/null
	@PATH="$$(tools/go.sh):$$PATH"; cd tests/e2e && go build -o ../../build/e2e/cluster ./cmd/cluster
	@exec build/e2e/cluster

e2e: build ## install and try winadmit on a real API server; the first time builds the control plane
	@tools/setup.sh image deploy
	@tests/e2e/run.sh

differential: build ## the same requests to winadmit and to Go's net/http server, thousands of them mutated
	@tests/differential/run.sh

torture: build ## attacks and faults against the real binary: docs/torture.md; QUICK=1 for a short form, SOAK=3600 for a soak
	@tools/setup.sh torture
	@tests/torture/build.sh
	@tests/torture/torture.py $(if $(QUICK),--quick) $(if $(SOAK),--soak $(SOAK) --output docs/torture.md)

tls-scan: build ## sslyze's verdict on the webhook port, with an ECDSA and with an RSA pair
	@tools/setup.sh scan
	@tests/torture/tls_scan.py --binary build/release/winadmit
