#!/usr/bin/env bash
# browser.sh: the pages in a real browser, with the keyboard, narrow and wide, light and dark; .build/screenshots has pictures.
set -euo pipefail
cd "$(dirname "$0")/../.."

.ci/install chromium fonts-dejavu-core python3
swift build --product larder
rm -rf .build/screenshots
.ci/browse "$(swift build --show-bin-path)/larder" .build/screenshots
