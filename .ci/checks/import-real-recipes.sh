#!/usr/bin/env bash
# Real recipes in and out: all of them, nothing lost, nothing written twice, and readable by SQLite's own shell.
set -euo pipefail
cd "$(dirname "$0")/../.."

source=../shared/data/recipes.jsonl
larder=$(swift build --show-bin-path)/larder
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
first=$folder/first.sqlite
second=$folder/second.sqlite

fail() { echo "FAILED: $*" >&2; exit 1; }

# expect WHAT WANTED FOUND
expect() {
    [[ $2 == "$3" ]] || fail "$1: $3 instead of $2"
    echo "$1: $3"
}

# The bytes of the database and its log. A process that only reads leaves an empty log.
digests() {
    local file
    for file in "$first" "$first-wal"; do
        if [[ -s $file ]]; then sha256sum "$file"; else echo "no bytes in $file"; fi
    done
}

echo "--- import"
"$larder" import --store "sqlite:$first" "$source"
expect "recipes" 184 "$(sqlite3 "$first" 'SELECT count(*) FROM recipe')"
expect "ingredients" 1478 "$(sqlite3 "$first" 'SELECT count(*) FROM ingredient')"
expect "steps" 1281 "$(sqlite3 "$first" 'SELECT count(*) FROM step')"
expect "keywords" 135 "$(sqlite3 "$first" 'SELECT count(*) FROM tag')"

echo "--- export, compared by recipe and property"
"$larder" export --store "sqlite:$first" > "$folder/first.jsonl"
.ci/compare-recipes "$source" "$folder/first.jsonl"

echo "--- a second import writes nothing"
before=$(digests)
"$larder" import --store "sqlite:$first" "$source"
[[ $before == "$(digests)" ]] || fail "the second import wrote: $before / $(digests)"

echo "--- a rating given here stays"
recipe=$(sqlite3 "$first" "SELECT source_identifier FROM recipe ORDER BY id LIMIT 1")
"$larder" rate --store "sqlite:$first" "$recipe" 4
"$larder" import --store "sqlite:$first" "$source"
expect "rating" 4 "$(sqlite3 "$first" "SELECT rating FROM recipe WHERE source_identifier = '$recipe'")"

echo "--- export, import into a new store, export"
"$larder" export --store "sqlite:$first" > "$folder/first.jsonl"
"$larder" import --store "sqlite:$second" "$folder/first.jsonl"
"$larder" export --store "sqlite:$second" > "$folder/second.jsonl"
cmp "$folder/first.jsonl" "$folder/second.jsonl"

echo "--- the sqlite3 shell"
for database in "$first" "$second"; do
    expect "integrity_check" ok "$(sqlite3 "$database" 'PRAGMA integrity_check')"
    expect "foreign_key_check" "" "$(sqlite3 "$database" 'PRAGMA foreign_key_check')"
done
