# make build, make test, make check are all most people need. CONTRIBUTING.md says more.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.PHONY: build module test check tidy generate fmt fmt-check lint web screens hearing bench nlu fuzz chaos contract setup tools clean

# The linter's cache remembers findings by absolute path, so that two checkouts must not share one.
export GOLANGCI_LINT_CACHE := $(CURDIR)/bin/lint-cache

# What the program says of itself: the last tag, the commits since and the commit. Where there is no git, give it: make build VERSION=...
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)

# The one way to build; the Dockerfile calls it too. Beside the program is its bill of materials.
build:
	CGO_ENABLED=0 go build -tags nomsgpack,grpcnotrace -trimpath -ldflags "-s -w -X main.built=$(VERSION)" -o bin/annai ./cmd/annai
	go run internal/tool/sbom/main.go bin/annai "$(VERSION)" > bin/annai.cdx.json

# All tests. What they need beyond Go is set up where that is allowed.
test: setup tools
	scripts/test

# All that must hold before a change is merged, the quick ones first.
check: setup tools tidy generate fmt-check lint test

# Gives the module another path, for whoever publishes it: make module PATH=example.org/me/annai
# Where programs are is called PATH too, so the script looks for them where the system has them.
module: SHELL := /bin/bash
module:
	@PATH="$$(command -p getconf PATH)" scripts/module "$(PATH)"

tidy:
	go mod tidy -diff
	go -C internal/tool mod tidy -diff

# What go generate makes must be what is committed.
generate:
	scripts/unchanged go generate ./...

fmt: tools
	bin/golangci-lint fmt

fmt-check: tools
	bin/golangci-lint fmt --diff

# The linter runs go vet as well.
lint: tools
	bin/golangci-lint run
	cd internal/tool && ../../bin/golangci-lint run --config ../../.golangci.yml

# The pages and scripts that we serve, built from web/. The result is committed, so that go build needs no Node; a test builds it
# again and compares.
web: setup
	scripts/web

# Pictures of every screen of the kiosk, in bin/screens.
screens: setup
	scripts/screens

# Ten questions in each language, spoken to the kiosk's microphone by our own voice and heard by Whisper base; the tests have one of each.
hearing: setup
	go test ./cmd/annai -run '^TestSpokenTo$$' -count=1 -v -timeout=60m -spoken 10

# Every row of speed and memory; BENCH=engine (or server, nlu, rag) is one family.
bench:
	scripts/bench $(BENCH)

# Every row of accuracy, on test data of others that is not in this repository, beside what is known of other programs.
nlu: build
	scripts/nlu

# Every fuzz test for FUZZTIME, 10s unless given.
fuzz:
	scripts/fuzz

# Three servers on one PostgreSQL while servers and database fail, for three minutes; the tests have a short form of it.
chaos:
	scripts/chaos $(CHAOS)

# What LangGraph's own server says and ours does not, or otherwise: not part of check, for that server is large.
contract:
	scripts/contract

setup:
	scripts/setup

tools:
	scripts/tools

clean:
	rm -rf bin
