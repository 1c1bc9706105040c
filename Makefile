# The commands of this repository: `make` lists them. Each is a thin layer over the CMake presets, and quick when nothing
# changed. They install the Debian packages that are missing, so the first run of each takes longer.
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
VERSION := $(shell sed -n '/^project/s/.* VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
CONFIGURED := build/release/build.ninja

.PHONY: help setup build run test docs lint asan tsan fuzz image deploy-test bench bench-micro bench-budget cluster e2e differential torture tls-scan reproducible

help: ## list the commands
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install the Debian packages that are missing
	@tools/setup.sh build test

$(CONFIGURED): | setup
	@echo "Configuring build/release"
	@cmake --preset release >/dev/null

build: setup $(CONFIGURED) ## build a release: build/release/winadmit
	@echo "Building build/release/winadmit: about two minutes on two cores the first time"
	@cmake --build --preset release -j $(JOBS) --target winadmit

run: build ## serve on loopback with a self-signed certificate, and print two curl lines to try
	@build/release/winadmit serve --dev

test: build ## build and run every unit and integration test
	@echo "Building and running the tests: about five minutes on two cores the first time"
	@tests/run.sh release

docs: build ## write the generated pages again: docs/reference.md, docs/refusal.svg, policy/rules/RULES.md
	@cmake --build --preset release -j $(JOBS) --target winadmit_reference
	@tools/docs.sh build/release

lint: setup ## check the sources with clang-format and clang-tidy
	@tools/setup.sh lint
	@echo "Configuring build/clang, then clang-format and clang-tidy: some minutes without output"
	@cmake --preset clang >/dev/null
	@tools/lint.sh

asan: setup ## every test with AddressSanitizer and UBSan, warnings as errors (gcc)
	@tools/setup.sh lint
	@echo "Building build/asan and running the tests: about ten minutes on two cores the first time"
	@tests/run.sh asan

tsan: setup ## the server's tests with ThreadSanitizer, warnings as errors (clang)
	@tools/setup.sh lint
	@echo "Building build/tsan and running the tests: about ten minutes on two cores the first time"
	@tests/run.sh tsan -R 'Server|Wire|Listener|Connection|Worker|InvokeOn|LargeReview|Reload|Metrics'

fuzz: setup ## fuzz connections, requests, reviews, configurations and certificates (clang); SECONDS=60 in total
	@tools/setup.sh lint
	@echo "Building build/fuzz, then fuzzing for $(or $(SECONDS),60) seconds"
	@tests/fuzz/run.sh $(SECONDS)

image: build ## an OCI image without a base: build/image/winadmit.oci.tar, with its bill of materials
	@tools/setup.sh image
	@echo "Writing build/image/winadmit.oci.tar"
	@deploy/image/build.py --binary build/release/winadmit --build-dir build/release --version $(VERSION)

deploy-test: build ## check the image, the manifests, the chart and the alerts; needs no cluster
	@tools/setup.sh image deploy
	@echo "Checking the image, the manifests, the chart and the alerts"
	@tests/deploy/run.sh

bench: setup ## measure winadmit beside its alternatives: docs/benchmarks.md; QUICK=1 for a short run
	@tools/setup.sh bench
	@echo "Building the servers and measuring them: about an hour, or some minutes with QUICK=1"
	@tests/bench/build.sh
	@tests/bench/bench.py $(if $(QUICK),--quick)

bench-micro: setup ## time each step of a request alone
	@tools/setup.sh bench
	@echo "Building the benchmarks"
	@tests/bench/build.sh micro
	@python3 tests/bench/bodies.py build/bench/bodies
	@build/release/tests/bench/bench_micro

bench-budget: setup ## count instructions of each step; fails if one exceeds tests/bench/budget.json by 5 %, or is not linear
	@tools/setup.sh bench
	@echo "Building the benchmarks, then counting instructions"
	@tests/bench/build.sh micro
	@tests/bench/budget.py

cluster: build ## a real control plane with Windows and Linux nodes and winadmit, to play with
	@echo "Building the control plane: once, about 40 minutes on two cores"
	@tests/e2e/build-tools.sh >/dev/null
	@PATH="$$(tools/go.sh):$$PATH"; cd tests/e2e && go build -o ../../build/e2e/cluster ./cmd/cluster
	@exec build/e2e/cluster

e2e: build ## install and test winadmit on a real API server
	@tools/setup.sh image deploy
	@echo "Building the control plane (once, about 40 minutes on two cores), then testing for about 10 minutes"
	@tests/e2e/run.sh

differential: build ## send the same requests, thousands of them mutated, to winadmit and to Go's net/http server
	@echo "Comparing with Go's net/http server"
	@tests/differential/run.sh

torture: build ## attacks and faults against the real binary: docs/torture.md; QUICK=1 for a short run, SOAK=3600 for a soak
	@tools/setup.sh torture
	@echo "Building the client, then attacking the binary"
	@tests/torture/build.sh
	@tests/torture/torture.py $(if $(QUICK),--quick) $(if $(SOAK),--soak $(SOAK) --output docs/torture.md)

tls-scan: build ## scan the webhook port with sslyze, with an ECDSA and with an RSA certificate
	@tools/setup.sh scan
	@echo "Scanning with sslyze"
	@tests/torture/tls_scan.py --binary build/release/winadmit

reproducible: setup ## build twice in different folders and compare the bytes
	@echo "Building what is committed twice, without ccache: some minutes without output"
	@tools/reproducible.sh
