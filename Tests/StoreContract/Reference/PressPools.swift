internal import LarderData
internal import LarderDomain

/// The ids and values of random objects of ``Press``.
final class PressPools: Sendable {
    /// The ids of roots and of owned objects, by schema name.
    let roots, owned: [String: [RawID]]
    /// The range of the numbers in unique values; with 0, unique values have no numbers, so duplicates are frequent.
    /// frequent.
    let spread: Int
    /// Whether change sets, lists, and pages are long.
    var isLarge: Bool { spread > 1_000 }

    /// Few, so that changes often affect the same objects.
    static let small = PressPools([7, 6, 8, 6], owned: [16, 12, 14, 10], spread: 0)
    /// Enough that a random query finds some and excludes others.
    static let medium = PressPools([10, 14, 30, 20], owned: [60, 40, 40, 30], spread: 60)
    /// Enough that stores with a batch size need several batches.
    static let large = PressPools([60, 600, 140, 320], owned: [400, 200, 250, 200], spread: 1_000_000)

    private init(_ sizes: [Int], owned ownedSizes: [Int], spread: Int) {
        // Ids in an order that differs from that of their numbers, with all bits in use; some have equal upper or lower
        // halves.
        func ids(_ kind: Int, _ count: Int) -> [RawID] {
            var chance = Chance(seed: UInt64(kind))
            var (high, low) = (chance.next(), chance.next())
            return (0..<count).map { number in
                if number % 4 != 1 { high = chance.next() }
                if number % 4 != 3 { low = chance.next() }
                return RawID(high: high, low: low)
            }
        }
        let names = ["topic", "member", "magazine", "seat", "article", "advert", "footnote", "figure"]
        let pools = zip(names, sizes + ownedSizes).enumerated().map { ($1.0, ids($0 + 1, $1.1)) }
        roots = Dictionary(uniqueKeysWithValues: pools.prefix(sizes.count))
        owned = Dictionary(uniqueKeysWithValues: pools.dropFirst(sizes.count))
        self.spread = spread
    }

    /// For each letter, texts that differ in case or accents, or have a common prefix.
    static let texts = [
        "a", "A", "ab", "a b", "a ", "\u{E4}", "\u{C4}", "q", "q\u{301}", "", "\r\n", "\n", "ss", "\u{DF}", "%", "_",
        "\\", "\\%",
        "\u{E000}", "\u{1F34E}", "\u{1F350}",
    ]
    /// Texts with a common prefix that is longer than a store's pages, keys, and index entries.
    static let longTexts = ["", "a", "\u{1F34E}", "\u{1F350}"].map { String(repeating: "ab c", count: 1_300) + $0 }
    static let days = ["0001-01-01", "1999-12-31", "2000-01-01", "2024-02-29", "9999-12-31"]
    static let integers: [Int64] = [.min, -1, 0, 1, 2, 3, 7, .max]
    static let reals: [Double] = [-1.5, 0, 0.1, 2, 1e300]
    static let blobs: [[UInt8]] = [[], [0], [0, 0], [1], [1, 2], [255]]
}
