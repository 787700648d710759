#!/usr/bin/env bash
# The program judges its own stores: no law broken, at least 110 kept by each kind. `synced-commits` judges
# SQLite.
set -euo pipefail
cd "$(dirname "$0")/../.."

larder=$(swift build --show-bin-path)/larder
for store in file: memory:; do
    verdicts=$("$larder" check --store "$store") || { grep BROKEN <<< "$verdicts"; exit 1; }
    kept=$(grep -c '^kept ' <<< "$verdicts")
    echo "$store keeps $kept laws"
    [[ $kept -ge 110 ]] || { echo "FAILED: fewer than 110" >&2; exit 1; }
done
