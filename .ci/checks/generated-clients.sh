#!/usr/bin/env bash
# generated-clients.sh: clients that openapi-python-client and datamodel-code-generator make from /openapi.yaml without a
# warning, used against `larder serve`. First descriptions that the generators cannot read must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."

.ci/install python3 python3-venv
tools=$PWD/.build/generated-clients
if ! cmp -s .ci/generated-clients.txt "$tools/installed.txt"; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement .ci/generated-clients.txt
    cp .ci/generated-clients.txt "$tools/installed.txt"
fi
swift build --product larder
"$tools/bin/python" .ci/generated-clients "$(swift build --show-bin-path)/larder"
