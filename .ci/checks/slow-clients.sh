#!/usr/bin/env bash
# slow-clients.sh: clients that drip, idle, flood or do not read are ended within 10 s, and others served meanwhile. First a
# server that lets them be must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."

.ci/install python3
swift build --product larder
larder=$(swift build --show-bin-path)/larder

if LARDER_HTTP_HEADER_TIMEOUT=60s .ci/slow-clients "$larder" 2> .build/slow-clients.log; then
    echo "FAILED: a server that waits for heads was not found" >&2
    exit 1
fi
grep -q '^FAILED unanswered: ' .build/slow-clients.log || { cat .build/slow-clients.log; exit 1; }
sed "s/^/found: /" .build/slow-clients.log
.ci/slow-clients "$larder"
