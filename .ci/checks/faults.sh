#!/usr/bin/env bash
# faults.sh [--all]: writes and syncs that fail, a death at a chosen write, a full device and a read-only one. First the
# judge must find a program that crashes, one that says nothing, and one that acknowledges what failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

larder=$(swift build --show-bin-path)/larder
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# caught WHAT IN-CASE-OF-FAILURE: a program that does this with a failure must be found out. Its output is kept back until then:
# an import that fails late has already reported its first batches, and a planted report would be a second one.
caught() {
    cat > "$folder/program" <<PROGRAM
#!/usr/bin/env bash
input=\$(cat)
status=0
"$larder" "\$@" <<< "\$input" > "$folder/printed" 2> "$folder/errors" || status=\$?
if [[ \$status -ne 0 ]]; then
    $2
fi
cat "$folder/errors" >&2
cat "$folder/printed" || exit 74
exit \$status
PROGRAM
    chmod +x "$folder/program"
    if .ci/inject-faults "$folder/program" --kind "$kind" > "$folder/output" 2>&1 || ! grep -q "^FAILED: $1" "$folder/output"; then
        cat "$folder/output"
        echo "FAILED: '$1' was not found" >&2
        exit 1
    fi
    echo "found: $(tail -n 1 "$folder/output")"
}

for kind in sqlite file; do
    caught 'typed: .* ended by signal' '[[ $1 == list ]] || kill -SEGV $$'
    caught 'typed: .* says nothing' ': > "'"$folder"'/errors"'
    caught 'lost: ' '[[ $1 == list ]] || { printf "{\"inserted\":%d,\"updated\":0}\n" "$(wc -l <<< "$input")"; exit 0; }'
    .ci/inject-faults "$larder" --kind "$kind" "$@"
done
