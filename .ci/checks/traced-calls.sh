#!/usr/bin/env bash
# The system calls of the store of files are what its shim notes and the simulation simulates, in this order and none beside.
# First a call too many and a call too few must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

LARDER_TRACED_FOLDER=$folder/store LARDER_TRACED_CALLS=$folder/calls strace -f --seccomp-bpf -y -qq -s 0 -e trace=%file,%desc \
    -o "$folder/log" swift test --skip-build --disable-xctest --filter TracedStoreTests > "$folder/output" 2>&1 \
    || { cat "$folder/output"; exit 1; }

for change in 20d 20p; do
    sed -e "$change" "$folder/calls" > "$folder/changed"
    if .ci/traced-calls "$folder/log" "$folder/changed" "$folder/store" > "$folder/found" 2>&1; then
        echo "FAILED: calls that were not made, or not noted, were not found" >&2
        exit 1
    fi
    echo "found: $(cat "$folder/found")"
done
.ci/traced-calls "$folder/log" "$folder/calls" "$folder/store"
