#!/usr/bin/env bash
# Invented bytes for whatever decodes: FUZZ_SECONDS for each decoder, six at a time. None may trap, and what was decoded must
# encode and decode to the same. FUZZ_TARGETS names some of them. First a trap that was set must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${FUZZ_SECONDS:-60}
read -ra targets <<< "${FUZZ_TARGETS:-cursor json location log recipes values}"
folder=.build/fuzz-runs
mkdir -p "$folder"

LARDER_FUZZ=1 swift build --configuration release -Xswiftc -enable-testing --sanitize fuzzer --product Fuzz \
    --scratch-path .build/fuzz --explicit-target-dependency-import-check error
program=.build/fuzz/release/Fuzz

# Swift's own backtraces would come before libFuzzer keeps the bytes.
export SWIFT_BACKTRACE=enable=no

# fuzz TARGET SECONDS: with a corpus of its own, which begins as the one that is committed.
fuzz() (
    corpus=("$folder/$1")
    mkdir -p "${corpus[0]}"
    [[ ! -d Tests/Proof/Fuzz/Corpus/$1 ]] || corpus+=("Tests/Proof/Fuzz/Corpus/$1")
    # Nothing may ask for more memory than this, whether or not it would use it.
    ulimit -v 1048576
    FUZZ_TARGET=$1 "$program" -max_total_time="$2" -timeout=10 -rss_limit_mb=1024 -max_len=4096 \
        ${LARDER_SEED:+-seed="$LARDER_SEED"} -artifact_prefix="$folder/$1-" "${corpus[@]}" \
        > "$folder/$1.log" 2>&1
)

if fuzz canary 60 || ! grep -q 'Test unit written to' "$folder/canary.log"; then
    tail -n 20 "$folder/canary.log"
    echo "FAILED: the trap that was set was not found" >&2
    exit 1
fi
echo "the trap that was set was found: $(grep -a 'Test unit written' "$folder/canary.log")"
rm -rf "$folder"/canary*

# run TARGET: says what was done, or what was found and how to see it again.
run() {
    local target=$1 status=0
    fuzz "$target" "$seconds" || status=$?
    if [[ $status -ne 0 ]]; then
        grep -aE 'Fatal error|ERROR: |Test unit written|^Base64' "$folder/$target.log" || tail -n 20 "$folder/$target.log"
        echo "FAILED: see it again with FUZZ_TARGET=$target $program FILE" >&2
        return 1
    fi
    local runs
    runs=$(grep -aoE '^Done [0-9]+ runs' "$folder/$target.log" | grep -oE '[0-9]+')
    [[ ${runs:-0} -gt 100 ]] || { echo "FAILED: only ${runs:-0} runs of $target" >&2; return 1; }
    echo "proof: fuzzing, $target: $runs inputs, 0 traps, seed $(grep -aoE '^INFO: Seed: [0-9]+' "$folder/$target.log" \
        | grep -oE '[0-9]+'), $seconds s"
}

failed=0
for ((first = 0; first < ${#targets[@]}; first += 6)); do
    running=()
    for target in "${targets[@]:first:6}"; do
        run "$target" &
        running+=($!)
    done
    for process in "${running[@]}"; do wait "$process" || failed=1; done
done
exit "$failed"
