#!/usr/bin/env bash
# http-kill-cycles.sh [CYCLES [CYCLES-ON-FILES]]: kill -9 and SIGTERM while eight clients write to `larder serve`, on SQLite
# and on a store of files; what was acknowledged is there, and what was begun is answered. First the judge must find each
# kind of damage, a server that leaves requests unanswered, and one whose exit status is wrong.
set -euo pipefail
cd "$(dirname "$0")/../.."

larder=$(swift build --show-bin-path)/larder
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# caught WORD ARGUMENTS...: the judge must fail, and say this word.
caught() {
    local word=$1
    shift
    if .ci/http-cycles "$@" > "$folder/output" 2>&1 || ! grep -q "^FAILED .*: $word: " "$folder/output"; then
        cat "$folder/output"
        echo "FAILED: '$word' was not found" >&2
        exit 1
    fi
    echo "found: $(tail -n 1 "$folder/output" | cut -c 1-200)"
}

# server NAME COMMAND: a script that serves, and does this when it is told to stop.
server() {
    cat > "$folder/$1" <<SERVER
#!/usr/bin/env bash
"$larder" "\$@" &
larder=\$!
trap '$2' TERM
wait "\$larder"
SERVER
    chmod +x "$folder/$1"
}

for kind in sqlite file; do
    for plant in lost older; do caught lost "$larder" 5 --kind "$kind" --only kill --plant "$plant"; done
    for plant in doubled forgotten; do caught doubled "$larder" 5 --kind "$kind" --only kill --plant "$plant"; done
    caught torn "$larder" 5 --kind "$kind" --only kill --plant half
done
server abrupt 'kill -9 $larder; exit 0'
caught unanswered "$folder/abrupt" 5 --only stop
server wrong 'kill -TERM $larder; while kill -0 $larder 2> /dev/null; do sleep 0.05; done; exit 3'
caught typed "$folder/wrong" 5 --only stop

.ci/http-cycles "$larder" "${1:-10}"
.ci/http-cycles "$larder" "${2:-3}" --kind file --only kill
