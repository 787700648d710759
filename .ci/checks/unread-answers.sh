#!/usr/bin/env bash
# unread-answers.sh [RELEASE]: clients that never read their responses cost the service little memory, for each kind of GET.
# Short here: 200 clients of a debug build. With RELEASE, the full form: 1,000 clients of a release build. First a server
# that keeps a photo for each client must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."

.ci/install python3
log=.build/unread-answers.log
mkdir -p .build
if .ci/unread-answers .ci/hoarder 30 2> "$log"; then
    echo "FAILED: a server that keeps a photo for each client was not found" >&2
    exit 1
fi
grep -q '^FAILED grown: photos: ' "$log" || { cat "$log"; exit 1; }
sed "s/^/found: /" "$log"

configuration=(--configuration debug)
clients=200
[[ $# -eq 0 ]] || { configuration=(--configuration release); clients=1000; }
swift build "${configuration[@]}" --product larder
.ci/unread-answers "$(swift build "${configuration[@]}" --show-bin-path)/larder" "$clients"
