#!/usr/bin/env bash
# kill-cycles.sh [CYCLES]: kill -9 while recipes are imported, rated and renamed; what was acknowledged is there. First the
# judge must find each kind of damage, and a program that acknowledges what it never stored.
set -euo pipefail
cd "$(dirname "$0")/../.."

larder=$(swift build --show-bin-path)/larder
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# caught WORD ARGUMENTS...: the judge must fail, and say this word.
caught() {
    local word=$1
    shift
    if .ci/kill-cycles "$@" > "$folder/output" 2>&1 || ! grep -q "^FAILED .*: $word: " "$folder/output"; then
        cat "$folder/output"
        echo "FAILED: '$word' was not found" >&2
        exit 1
    fi
    echo "found: $(tail -n 1 "$folder/output")"
}

for kind in sqlite file; do
    for plant in lost torn doubled; do caught "$plant" "$larder" 10 --kind "$kind" --plant "$plant"; done
done

cat > "$folder/liar" <<LIAR
#!/usr/bin/env bash
case "\$1 \${3:-}" in
import*--json) printf '{"inserted":%d,"updated":0}\n' "\$(wc -l)" ;;
rate*) echo "It is rated \$3 of 5" ;;
*) exec "$larder" "\$@" ;;
esac
LIAR
chmod +x "$folder/liar"
for kind in sqlite file; do caught lost "$folder/liar" 10 --kind "$kind"; done

for kind in sqlite file; do .ci/kill-cycles "$larder" "${1:-50}" --kind "$kind"; done
