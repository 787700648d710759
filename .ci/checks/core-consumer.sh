#!/usr/bin/env bash
# core-consumer.sh: a package that depends on the core with `traits: []` resolves no other package, and builds from nothing
# in less than CONSUMER_LIMIT seconds: 120, which leaves room for shared machines; on two idle cores, it takes 31 s. The
# default traits must resolve packages, or this check would see none.
set -euo pipefail
cd "$(dirname "$0")/../.."

products=(LarderDomain LarderData LarderInfrastructure LarderStoreContract LarderArchitecture LarderTesting)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/Consumer"
printf 'import %s\n' "${products[@]}" > "$folder/Sources/Consumer/main.swift"

# manifest ARGUMENTS: a package with these arguments after the path of its one dependency.
manifest() {
    cat > "$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "consumer", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "larder", path: "$PWD"$1)],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: "${products[*]}".split(separator: " ").map { .product(name: String(\$0), package: "larder") })
    ])
SWIFT
}

manifest ""
swift package --package-path "$folder" resolve
[[ -f "$folder/Package.resolved" ]] || { echo "the default traits resolved nothing, so this check sees nothing" >&2; exit 1; }

manifest ", traits: []"
rm -rf "$folder/.build" "$folder/Package.resolved"
began=$SECONDS
swift build --package-path "$folder" --explicit-target-dependency-import-check error
took=$((SECONDS - began))
[[ ! -f "$folder/Package.resolved" ]] || { echo "these were resolved:" >&2; cat "$folder/Package.resolved" >&2; exit 1; }
[[ $took -lt ${CONSUMER_LIMIT:-120} ]] || { echo "took $took s, must be less than ${CONSUMER_LIMIT:-120} s" >&2; exit 1; }
echo "proof: a consumer with traits: [] resolved no package and built ${#products[@]} products in $took s"
