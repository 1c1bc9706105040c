# The commands of this repository: `make` lists them. Each is a thin layer over the CMake presets, and quick when nothing
# changed. They install the Debian packages that are missing, so the first run of each takes longer.
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
PROJECT_VERSION := $(shell sed -n '/^project/s/.* VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
CONFIGURED := build/release/build.ninja

.PHONY: help setup build run test docs lint asan tsan fuzz image release arm64-test deploy-test bench bench-micro bench-budget cluster e2e gameday upgrade-test scale differential torture tls-scan reproducible

help: ## list the commands
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install the Debian packages that are missing
	@tools/setup.sh build test

$(CONFIGURED): | setup
	@echo "Configuring build/release"
	@cmake --preset release >/dev/null

build: setup $(CONFIGURED) ## build a release: build/release/winadmit
	@echo "Building build/release/winadmit: about seven minutes on two cores the first time"
	@cmake --build --preset release -j $(JOBS) --target winadmit

run: build ## serve on loopback with a self-signed certificate, and print two curl lines to try
	@build/release/winadmit serve --dev

test: build ## build and run every unit and integration test
	@echo "Building and running the tests: about a quarter of an hour on two cores the first time"
	@tests/run.sh release

docs: build ## write the generated pages again: docs/reference.md, docs/refusal.svg, policy/rules/RULES.md
	@cmake --build --preset release -j $(JOBS) --target winadmit_reference
	@tools/docs.sh build/release

lint: setup ## check the sources with clang-format and clang-tidy
	@tools/setup.sh lint
	@echo "Configuring build/lint, then clang-format and clang-tidy: nine minutes without output"
	@cmake --preset lint >/dev/null
	@tools/lint.sh

asan: setup ## every test with AddressSanitizer and UBSan, warnings as errors (clang)
	@tools/setup.sh lint
	@echo "Building build/asan and running the tests: about 20 minutes on two cores the first time"
	@tests/run.sh asan

tsan: setup ## the server's tests with ThreadSanitizer, warnings as errors (clang)
	@tools/setup.sh lint
	@echo "Building build/tsan and running the tests: about twelve minutes on two cores the first time"
	@tests/run.sh tsan

fuzz: setup ## fuzz connections, requests, reviews, configurations and certificates (clang); SECONDS=60 in total
	@tools/setup.sh lint
	@echo "Building the targets in build/asan, then fuzzing for $(or $(SECONDS),60) seconds"
	@tests/fuzz/run.sh $(SECONDS)

image: setup ## an OCI image without a base: build/image/winadmit.oci.tar, with its bill of materials; ARCH=arm64 for build/image/arm64
	@tools/setup.sh image
	@deploy/image/compile.sh $(or $(ARCH),$$(dpkg --print-architecture)) >/dev/null
	@echo "Writing build/image$(if $(ARCH),/$(ARCH))/winadmit.oci.tar"
	@deploy/image/build.py $(if $(ARCH),--architecture $(ARCH)) --output build/image$(if $(ARCH),/$(ARCH)) --version $(PROJECT_VERSION)

release: setup ## the files of a release, for amd64 and arm64: make release VERSION=1.2.3 writes build/release-1.2.3/
	@tools/setup.sh image go
	@deploy/image/release.py "$(VERSION)"

arm64-test: setup ## cross-build for arm64 and run the image with QEMU: it serves, refuses and places pods
	@tools/setup.sh test image arm64-test
	@deploy/image/compile.sh arm64 >/dev/null
	@echo "Running the image for arm64 with QEMU"
	@tests/deploy/run.sh qemu_arm64

deploy-test: build ## check the image, the manifests, the chart and the alerts; needs no cluster
	@tools/setup.sh image deploy
	@echo "Checking the image, the manifests, the chart and the alerts"
	@tests/deploy/run.sh

bench: setup ## measure winadmit beside its alternatives: docs/benchmarks.md and docs/lab/benchmarks-files.md; QUICK=1 for a short run
	@tools/setup.sh bench
	@echo "Building the servers and measuring them: about an hour, or some minutes with QUICK=1"
	@tests/bench/build.sh
	@tests/bench/bench.py $(if $(QUICK),--quick)
	@tests/bench/files.py $(if $(QUICK),--quick)

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
	@echo "Building the control plane: once, 12 to 40 minutes on two cores"
	@tests/e2e/build-tools.sh >/dev/null
	@go=$$(tools/go.sh) && cd tests/e2e && PATH="$$go:$$PATH" go build -o ../../build/e2e/cluster ./cmd/cluster
	@exec build/e2e/cluster

e2e: build ## install and test winadmit on a real API server, also by every command of the docs
	@tools/setup.sh image deploy gameday registry
	@echo "Building the control plane (once, 12 to 40 minutes on two cores), then testing for about 10 minutes"
	@tests/e2e/run.sh

upgrade-test: build ## change the release, and the source of the certificate, and back on a real API server, while pods are created
	@tools/setup.sh image deploy
	@echo "Building the last release (once, some minutes), then upgrading"
	@tests/e2e/build-previous.sh >/dev/null
	@tests/e2e/run.sh upgrades

gameday: build ## what operators do on a bad day, on a real API server, while pods are created; SHORT=1 for a short run
	@tools/setup.sh image deploy gameday
	@echo "Building the control plane (once, 12 to 40 minutes on two cores), then a game day of about 8 minutes, or 4 with SHORT=1"
	@tests/e2e/run.sh ./gameday $(if $(SHORT),-short)

scale: build ## 20,000 pods with and without winadmit: docs/lab/scale.md; PODS=2000 prints the result of a short run
	@tools/setup.sh image deploy gameday
	@echo "Building the control plane (once, 12 to 40 minutes on two cores), then creating pods for about 20 minutes"
	@go=$$(tools/go.sh) && cd tests/e2e && PATH="$$go:$$PATH" go build -o ../../build/e2e/scale ./scale
	@build/e2e/scale $(if $(PODS),--pods $(PODS) --rounds 1,--output docs/lab/scale.md)

differential: build ## compare winadmit with Go's net/http server and with kubectl's readers, on thousands of mutated inputs
	@echo "Comparing with Go's net/http server and with kubectl's readers"
	@tests/differential/run.sh

torture: build ## attacks and faults against the real binary: docs/lab/torture.md; QUICK=1 for a short run, SOAK=3600 for a soak
	@tools/setup.sh torture
	@echo "Building the client, then attacking the binary"
	@tests/torture/build.sh
	@tests/torture/torture.py $(if $(QUICK),--quick) $(if $(SOAK),--soak $(SOAK) --output docs/lab/torture.md)

tls-scan: build ## scan the webhook port with sslyze, with an ECDSA and with an RSA certificate
	@tools/setup.sh scan
	@echo "Scanning with sslyze"
	@tests/torture/tls_scan.py --binary build/release/winadmit

reproducible: setup ## build twice in different folders and compare the bytes
	@echo "Building what is committed twice, without ccache: some minutes without output"
	@tools/reproducible.sh
