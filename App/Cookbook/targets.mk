# Makefile targets of the sample.
.PHONY: run load
SAMPLE := App/Cookbook/Resources/sample.jsonl

run: build ## Build, import the bundled sample, and serve it on this machine until Ctrl-C.
	@larder="$$(swift build --show-bin-path)/larder" && "$$larder" import $(SAMPLE) && \
		"$$larder" serve --development | tee .build/run.log

load: setup ## Load the service, bare Hummingbird, and a peer in turn; LOAD_READS and LOAD_MIX are seconds (20 and 60).
	@Tests/Proof/install wrk python3
	swift build --configuration release --product larder
	swift build --configuration release --package-path Benchmarks/Load --scratch-path .build/load
	@Benchmarks/Load/run .build/release/larder .build/load/release \
		$(firstword $(wildcard ../shared/data/recipes.jsonl) $(SAMPLE))
