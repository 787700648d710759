# The tasks of the workspace. `make` without a target lists them.
.DEFAULT_GOAL := help
# A failing command makes its whole pipe fail.
SHELL := bash
.SHELLFLAGS := -eo pipefail -c
.PHONY: help setup build test postgres grdb sqlcipher new prove fuzz docs lint format diagram bench bench-postgres bench-instructions budgets clean

# An import that a target does not declare fails the build.
CHECK := --explicit-target-dependency-import-check error
# Additional arguments of `swift build` and `swift test`.
BUILD ?=
SOURCES := Package.swift Domain Data Infrastructure App Tests Benchmarks
# All tests share two threads per core. With hundreds of concurrent tests, a server in one of them responds too late.
TEST := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$${WIDTH:-4} swift test --disable-xctest

# The sample's targets: run and load.
-include App/*/targets.mk

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 27

setup: ## Install the libraries and the program (curl) that are missing (Debian and its kin).
	@{ pkg-config --exists sqlite3 && command -v curl; } > /dev/null 2>&1 || Tests/Proof/install curl libsqlite3-dev pkg-config

build: setup ## Build everything.
	swift build $(CHECK) $(BUILD)

test: setup ## Run all tests at their quick sizes, or those whose names match ONLY.
	@command -v sqlite3 > /dev/null || Tests/Proof/install sqlite3
	$(TEST) $(CHECK) $(BUILD) $(if $(ONLY),--filter '$(ONLY)')

postgres: setup ## Test the PostgreSQL store, on a server of the tests' own.
	@Tests/Proof/install libpq-dev postgresql openssl
	LARDER_CORE=1 $(TEST) $(CHECK) --traits Postgres --scratch-path .build/postgres --filter '$(or $(ONLY),LarderPostgresTests)'

grdb: setup ## Test the SQLite store on GRDB, a package of its own.
	LARDER_CORE=1 $(TEST) $(CHECK) --package-path Infrastructure/GRDB --scratch-path .build/grdb $(if $(ONLY),--filter '$(ONLY)')

sqlcipher: ## Test the SQLite store with SQLCipher's library, on plain and on sealed databases.
	@Tests/Proof/install libsqlcipher-dev sqlcipher sqlite3 pkg-config
	LARDER_CORE=1 $(TEST) $(CHECK) --traits SQLCipher --scratch-path .build/sqlcipher \
		--filter '$(or $(ONLY),LarderInfrastructureTests|ContractTests/)' --skip LarderDecoratorsTests

new: ## Create a service that depends on the kit: NAME=my-loans. AT, KIT, VERSION, STORE, SAMPLE, FOLLOWERS: see docs/start.md.
	@LARDER_CORE=1 swift run --quiet --scratch-path .build/generator LarderGenerator new \
		"NAME=$$NAME" "AT=$$AT" "KIT=$$KIT" "VERSION=$$VERSION" "STORE=$$STORE" "SAMPLE=$$SAMPLE" "FOLLOWERS=$$FOLLOWERS"

prove: setup ## Run what takes minutes or needs tools, in about 30; with LONG=1 as long as it makes sense. LARDER_SEED repeats a run.
	Tests/Proof/all $(if $(LONG),--long) $(ONLY) 2>&1 | tee .build/prove.log
	@grep -a '^proof: ' .build/prove.log

fuzz: setup ## Feed invented bytes to all decoders, FUZZ_SECONDS to each, or to those that ONLY names.
	@Tests/Proof/fuzz $(ONLY)

# The libraries of the API reference, each after those that it depends on.
LIBRARIES := Domain Data Infrastructure Decorators Postgres StoreContract Architecture App HTTP Followers FollowersService \
	OpenID Webhooks Testing
# The plugin compiles with all traits, so by default it does not share the build of `make test`, which has others.
DOCS_BUILD ?= .build/docs-build

docs: setup ## Build the API reference of the libraries, in .build/docs. A warning fails.
	@Tests/Proof/install libpq-dev libsqlcipher-dev
	rm -rf .build/docs
	LARDER_DOCS=1 swift package --enable-all-traits --scratch-path $(DOCS_BUILD) --allow-writing-to-directory .build/docs \
		generate-documentation $(LIBRARIES:%=--target Larder%) --enable-experimental-combined-documentation \
		--warnings-as-errors --output-path .build/docs
	@echo "To read it: python3 -m http.server --directory .build/docs"

lint: ## Check the format of all sources, and that scripts can be run.
	@swift format lint --strict --parallel --recursive $(SOURCES) || { echo "'make format' mends most of it." >&2; exit 1; }
	@! find .ci $(SOURCES) -type f ! -perm -u=x -exec awk 'FNR == 1 && /^#!/ { print FILENAME ": not executable" }' {} + | grep .

format: ## Format all sources.
	swift format format --in-place --parallel --recursive $(SOURCES)

diagram: ## Draw the targets anew, in docs/targets.md.
	Tests/Proof/diagram

# The budgets also build the program `larder` in this folder: what both need is compiled once.
BENCHMARKS := swift build --configuration release --package-path Benchmarks --scratch-path .build/benchmarks

bench: setup ## Measure the kit and GRDB against SQLite's C API.
	$(BENCHMARKS)
	@.build/benchmarks/release/Benchmarks $(if $(ONLY),'$(ONLY)')
	@$(if $(ONLY),true,.build/benchmarks/release/Benchmarks file && Benchmarks/group-commit)

bench-postgres: setup ## Measure the PostgreSQL store against libpq, SQLAlchemy and pgbench, on a new server.
	@Tests/Proof/install libpq-dev postgresql python3-psycopg2 python3-sqlalchemy
	$(BENCHMARKS) --traits Postgres
	@ONLY=$(ONLY) Benchmarks/postgres

bench-instructions: setup ## Compare the numbers of instructions, which other processes do not change.
	@Tests/Proof/install valgrind
	$(BENCHMARKS)
	@Benchmarks/count-instructions $(if $(ONLY),'$(ONLY)')

budgets: setup ## Compare instructions and bytes with the figures in Benchmarks/Budgets; RECORD=1 replaces them.
	@Tests/Proof/install gcc python3 strace valgrind
	$(BENCHMARKS)
	$(BENCHMARKS) --product larder
	@Benchmarks/Budgets/run .build/benchmarks/release/larder .build/benchmarks/release/Benchmarks \
		$(if $(ONLY),--only '$(ONLY)') $(if $(RECORD),--record)

clean: ## Remove what was built.
	rm -rf .build
