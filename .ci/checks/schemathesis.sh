#!/usr/bin/env bash
# schemathesis.sh: requests invented from /openapi.yaml, good and bad ones, for `larder serve`; every answer must be one that
# the description has, and bad requests must be refused. LARDER_SEED repeats a run, EXAMPLES bounds what is made up freely
# for each operation.
set -euo pipefail
cd "$(dirname "$0")/../.."

seed=${LARDER_SEED:-20261121}
least=5000
.ci/install curl python3 python3-venv
tools=$PWD/.build/schemathesis
if ! cmp -s .ci/schemathesis.txt "$tools/installed.txt"; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement .ci/schemathesis.txt
    cp .ci/schemathesis.txt "$tools/installed.txt"
fi
swift build --product larder
larder=$(swift build --show-bin-path)/larder
checks=$PWD/.ci
sample=$PWD/App/Cookbook/Resources/sample.jsonl
folder=$(mktemp -d)
running=()
trap 'for process in "${running[@]}"; do kill "$process" 2> /dev/null || true; done; wait; rm -rf "$folder"' EXIT

# try NAME OPTIONS...: the operations that the options select, against a server of their own. What the tool leaves behind
# lies in a folder of its own, too.
try() {
    local name=$1 address token status=0
    shift
    mkdir "$folder/$name"
    cd "$folder/$name"
    "$larder" serve --development --store memory: --http-port 0 > said 2> log &
    server=$!
    trap 'kill "$server" 2> /dev/null || true' EXIT
    for ((tries = 0; tries < 300; tries++)); do
        ! grep -q '^Kept in ' said || break
        kill -0 "$server" || { cat log; return 1; }
        sleep 0.1
    done
    address=$(sed -nE 's|^Larder serves (http://[^/]+)/ .*|\1|p' said)
    token=$(grep -oE 'larder_[A-Za-z0-9_-]{43}' said)
    local ask=(curl --silent --show-error --fail --max-time 30 --header "Authorization: Bearer $token")
    "${ask[@]}" --header 'Content-Type: application/x-ndjson' --data-binary "@$sample" "$address/v1/import" > imported
    LARDER_OWN=$("${ask[@]}" "$address/v1/me")
    export LARDER_OWN

    # One worker: the tool's own caches are not safe with two. The stream of changes does not end by itself, so a tool that
    # reads answers to their end cannot be let at it. U+0000 is refused everywhere, which a schema can say only of members
    # that it names.
    SCHEMATHESIS_HOOKS=schemathesis_hooks PYTHONPATH=$checks PYTHONDONTWRITEBYTECODE=1 \
        "$tools/bin/schemathesis" --config-file "$checks/schemathesis.toml" --no-color run "$address/openapi.yaml" \
        --url "$address" --header "Authorization: Bearer $token" --seed "$seed" --max-examples "${EXAMPLES:-50}" \
        --exclude-operation-id followChanges --checks all --continue-on-failure --no-shrink --request-timeout 10 \
        --generation-database none --generation-allow-x00 false --warnings off "$@" > output 2>&1 || status=$?
    if [[ $status -ne 0 ]]; then
        cat output
        return 1
    fi
    tail -n 12 output
    if grep '"level":"\(error\|critical\)"' log; then return 1; fi
    # The server's own count.
    "${ask[@]}" "$address/metrics" | awk '/^http_requests_total[{ ]/ { sum += $NF } END { printf "%d\n", sum }' > count
}

failed=0
# Lists of ten thousand ids, all different, take the tool as long to make as everything else. /v1/me is asked where no
# token can be revoked: with its answer the tool would revoke its own.
cookbooks='^/v1/(cookbooks|me)'
recipes='^/v1/(brands|recipes|tags)'
(try cookbooks --include-path-regex "$cookbooks") &
running+=($!)
(try recipes --include-path-regex "$recipes") &
running+=($!)
(try others --exclude-path-regex "$cookbooks|$recipes") &
running+=($!)
for process in "${running[@]}"; do wait "$process" || failed=1; done
[[ $failed -eq 0 ]] || { echo "FAILED: see it again with LARDER_SEED=$seed" >&2; exit 1; }
count=$(cat "$folder"/*/count | awk '{ sum += $1 } END { print sum }')
[[ $count -ge $least ]] || { echo "FAILED: only $count requests, seed $seed" >&2; exit 1; }
echo "proof: schemathesis: $count requests, 0 failures, seed $seed"
