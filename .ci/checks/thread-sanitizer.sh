#!/usr/bin/env bash
# The tests below App under ThreadSanitizer: no report, after a race on purpose was reported. Left out is what would take
# minutes and runs nothing at the same time, or the same stores again: the source tree's rules, SQL's text and its scans,
# the growth of lists, laws of one task, runs against the model or an oracle, stores that do something wrong, decorated stores, and crashes
# that are tried one after the other. Runs have their quick size: more rounds of the same code find few further races.
# LARDER_COVERAGE=FILE has the lines counted that are run, and the report of llvm-cov written there.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=.build/tsan
log=.build/tsan.log
seconds=$SECONDS
LARDER_CORE=1 swift build --build-tests --sanitize thread --scratch-path "$build" ${LARDER_COVERAGE:+--enable-code-coverage}
tests=$(find -L "$build/debug" -maxdepth 1 -name '*.xctest' | head -n 1)
clang -shared -fPIC -O2 -Wall -Werror -o "$build/mutex.so" .ci/sanitizer/mutex.c -ldl

# watched ARGUMENTS...: the tests, with the mutex made visible; status 66 says that there were reports.
watched() {
    env LARDER_SANITIZER=thread LARDER_RUN_SIZE=quick TSAN_OPTIONS=exitcode=66 LD_PRELOAD="$PWD/$build/mutex.so" \
        LLVM_PROFILE_FILE="$build/profiles/%p.profraw" "$tests" --testing-library swift-testing "$@"
}
reports() { grep -ac '^WARNING: ThreadSanitizer' "$log" || true; }
fail() { echo "FAILED: $*" >&2; exit 1; }

# A race can be missed; one that is never seen in twenty runs cannot be seen.
seen=0
for attempt in {1..20}; do
    status=0
    LARDER_CANARY=race watched --filter RaceCanaryTests > "$log" 2>&1 || status=$?
    if [[ $status -eq 66 && $(reports) -gt 0 ]] && grep -q 'SUMMARY: ThreadSanitizer: .*RaceCanaryTests' "$log"; then seen=$attempt; break; fi
done
[[ $seen -gt 0 ]] || { tail -n 20 "$log"; fail "the race on purpose was never reported"; }
echo "the race on purpose was reported in run $seen"

rm -rf "$build/profiles"
left_out=()
for name in ArchitectureTests SQLConditionTests TableScanTests ListGrowthTests 'keeps every law' ModelRunTests DifferentialTests \
    MutantTests 'does something wrong' ProofTests MistakeTests 'transforms cells' 'whose calls never suspend'; do
    left_out+=(--skip "$name")
done
status=0
watched "${left_out[@]}" > "$log" 2>&1 || status=$?
# Some tests have a time limit, which says nothing where everything takes ten times as long; they are judged elsewhere.
grep -aE 'recorded an issue' "$log" || true
if [[ $status -ne 0 && $status -ne 1 || $(reports) -ne 0 ]]; then
    grep -a -A 60 -m 1 '^WARNING: ThreadSanitizer' "$log" || tail -n 40 "$log"
    fail "$(reports) reports, exit status $status; all of it is in $log"
fi
count=$(grep -aoE 'Test run with [0-9]+ tests' "$log" | grep -oE '[0-9]+') || fail "the tests did not come to their end"
if [[ -n ${LARDER_COVERAGE:-} ]]; then
    # The toolchain's own, which reads what its compiler writes.
    tools=$(swiftc -print-target-info | sed -nE 's|.*"runtimeResourcePath": "(.*)/lib/swift".*|\1/bin|p')
    "$tools/llvm-profdata" merge -sparse "$build"/profiles/*.profraw -o "$build/coverage.profdata"
    "$tools/llvm-cov" export -summary-only -instr-profile "$build/coverage.profdata" "$tests" > "$LARDER_COVERAGE"
fi
echo "proof: ThreadSanitizer: $count tests below App, 0 reports, canary reported, $((SECONDS - seconds)) s"
