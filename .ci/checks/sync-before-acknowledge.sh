#!/usr/bin/env bash
# At durability full the kernel sees each commit synced before anybody hears of it. At off it does not, and the same
# judge must say so.
set -euo pipefail
cd "$(dirname "$0")/../.."

larder=$(swift build --show-bin-path)/larder
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Few commits, then the thousands of the contract, many of which come at once and share a sync.
head -n 20 ../shared/data/recipes.jsonl > "$folder/recipes.jsonl"

for durability in full off; do
    store=sqlite:$folder/$durability/new/store.sqlite
    commands=("import $folder/recipes.jsonl" "rate aljotta 4" "tags rename soup broth")
    # The judge of the kernel's log is known to find a missing sync after these.
    [[ $durability == off ]] || commands+=(check)
    for arguments in "${commands[@]}"; do
        read -ra words <<< "$arguments"
        echo "--- $durability: ${words[*]}"
        strace -f -y -xx -s 32 -e trace=pwrite64,write,writev,fdatasync,fsync -o "$folder/log" \
            "$larder" "${words[@]}" --store "$store" --durability "$durability" | tail -n 1
        if [[ $durability == full ]]; then
            # The folders that the first command made are there for good, too.
            made=()
            [[ ${words[0]} != import ]] || made=("$folder" "$folder/full")
            .ci/wal-sync "$folder/log" "${made[@]}"
        elif .ci/wal-sync "$folder/log" 2> "$folder/found"; then
            echo "FAILED: nothing was found wrong at durability off" >&2
            exit 1
        else
            echo "found: $(grep "was not synced before" "$folder/found" | head -n 1)"
        fi
    done
done
