# What people do with the workspace. `make` alone lists it.
.DEFAULT_GOAL := help
# A command that fails fails its pipe too.
SHELL := bash
.SHELLFLAGS := -eo pipefail -c
.PHONY: help setup build run test prove fuzz lint format diagram bench bench-instructions load clean

# Its exit status counts: a target that imports what it does not declare fails the build.
CHECK := --explicit-target-dependency-import-check error
SOURCES := Package.swift Domain Data Infrastructure App Tests Benchmarks
SAMPLE := App/Cookbook/Resources/sample.jsonl

help: ## List the targets.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 27

setup: ## Install the libraries that are missing (Debian and its kin).
	@pkg-config --exists sqlite3 2>/dev/null || .ci/install libsqlite3-dev pkg-config

build: setup ## Build everything.
	swift build $(CHECK)

run: build ## Build, import the bundled sample, and serve it on this machine until Ctrl-C.
	@larder="$$(swift build --show-bin-path)/larder" && "$$larder" import $(SAMPLE) && \
		"$$larder" serve --development | tee .build/run.log

test: setup ## Run all tests, or those whose names match ONLY, and what needs tools; list what the random runs did.
	@mkdir -p .build
	LARDER_RUN_SIZE=$${LARDER_RUN_SIZE:-ci} swift test --disable-xctest $(CHECK) --filter '$(or $(ONLY),AppTests)' 2>&1 | tee .build/test.log
	@# By themselves, because what waits for a socket is late beside minutes of computing.
	$(if $(ONLY),@true,LARDER_RUN_SIZE=$${LARDER_RUN_SIZE:-ci} swift test --disable-xctest $(CHECK) --skip AppTests 2>&1 | tee -a .build/test.log)
	@$(if $(ONLY),true,.ci/with-tools 2>&1 | tee -a .build/test.log)
	@grep -a '^proof: ' .build/test.log || true

prove: setup ## Run all tests below App, kills, faults and fuzzing at their longest; LARDER_SEED repeats a run.
	LARDER_CORE=1 LARDER_RUN_SIZE=prove swift test --configuration release --disable-xctest -Xswiftc -enable-testing \
		--scratch-path .build/prove $(if $(ONLY),--filter '$(ONLY)') 2>&1 | tee .build/prove.log
	$(if $(ONLY),@true,(swift build $(CHECK) && Tests/Proof/prove kill-cycles 1000 \
		&& Tests/Proof/prove http-cycles 100 1000 && Tests/Proof/prove faults --all && FUZZ_SECONDS=1800 .ci/checks/fuzz.sh) 2>&1 | tee -a .build/prove.log)
	@grep -a '^proof: ' .build/prove.log || true

fuzz: setup ## Feed invented bytes to all decoders, FUZZ_SECONDS to each, or to those that FUZZ_TARGETS names.
	@.ci/checks/fuzz.sh

lint: ## Check the format of all sources.
	@swift format lint --strict --parallel --recursive $(SOURCES) || { echo "'make format' mends most of it." >&2; exit 1; }

format: ## Format all sources.
	swift format format --in-place --parallel --recursive $(SOURCES)

diagram: ## Draw the targets anew, in docs/targets.md.
	.ci/diagram

bench: setup ## Measure the kit and GRDB against SQLite's C API.
	LARDER_CORE=1 swift build --configuration release --package-path Benchmarks --scratch-path .build/benchmarks
	@.build/benchmarks/release/Benchmarks $(if $(ONLY),'$(ONLY)')
	@$(if $(ONLY),true,.build/benchmarks/release/Benchmarks file && Benchmarks/group-commit)

bench-instructions: setup ## Compare the numbers of instructions, which other processes do not change.
	@.ci/install valgrind
	LARDER_CORE=1 swift build --configuration release --package-path Benchmarks --scratch-path .build/benchmarks
	@Benchmarks/count-instructions $(if $(ONLY),'$(ONLY)')

load: setup ## Load the service and bare Hummingbird in turn; LOAD_READS and LOAD_MIX are the seconds (20 and 60).
	@.ci/install wrk python3
	swift build --configuration release --product larder
	swift build --configuration release --package-path Benchmarks/Load --scratch-path .build/load
	@Benchmarks/Load/run .build/release/larder .build/load/release/BareServer \
		$(firstword $(wildcard ../shared/data/recipes.jsonl) $(SAMPLE))

clean: ## Remove what was built.
	rm -rf .build
