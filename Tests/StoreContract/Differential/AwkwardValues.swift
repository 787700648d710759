/// Values that are known to cause errors, for rows and for queries.
enum AwkwardValues {
    static func of(_ kind: PlainKind) -> [PlainValue] { byKind[kind] ?? [] }

    /// The values that a column of a kind can have.
    static func ofRows(_ kind: PlainKind) -> [PlainValue] {
        of(kind).filter { if case .decimal(_, let scale) = $0 { scale == SpecimenMapper.decimalScale } else { true } }
    }

    private static let byKind: [PlainKind: [PlainValue]] = [
        .integer: integers.map { .integer($0) }, .real: reals.map { .real($0) },
        .decimal: decimals.map { .decimal($0.0, scale: $0.1) }, .text: texts.map { .text($0) },
        .flag: [.flag(true), .flag(false)], .instant: instants.map { .instant($0) },
        .day: days.map { .day(year: $0.0, month: $0.1, day: $0.2) }, .bytes: bytes.map { .bytes($0) },
        .id: ids.map { .id($0.0, $0.1) },
    ]

    private static let integers: [Int64] = [
        .min, .min + 1, -9_007_199_254_740_993, -3_037_000_500, -2, -1, 0, 1, 2, 3, 7, 3_037_000_500,
        9_007_199_254_740_993, .max - 1, .max,
    ]

    private static let reals: [Double] = [
        -.greatestFiniteMagnitude, -1e300, -1.5, -1, -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 0.1, 0.3,
        0.5, 1, 3, 9_007_199_254_740_992, 1e300, .greatestFiniteMagnitude,
    ]

    /// Numbers that columns have, and others between and beyond them.
    private static let decimals: [(Int64, Int)] = [
        (.min, 2), (.min + 1, 2), (-9_007_199_254_740_993, 2), (-1, 2), (0, 2), (1, 2), (10, 2), (150, 2),
        (.max - 1, 2), (.max, 2), (1, 0), (0, 9), (1, 1), (15, 1), (1, 3), (-5, 3), (1_499_999_999, 9), (.max, 9),
        (.min, 9), (.max, 0), (.min, 0),
    ]

    /// Prefixes of each other, combining marks in both orders, texts whose order differs between characters, UTF-16,
    /// and locales, and characters that are special in a pattern.
    static let texts: [Spelling] =
        [
            "", " ", "a", "A", "aa", "ab", "b", "B", "z", "Z", "e", "\r\n", "\n", "\r", "a\r\nb", "it's", "%", "_",
            "50%_", "*", "[a]", "\\", "ß", "ss", "i", "ı", "İ", "ﬁ", "日", "日本", "한국", "👩", "👩‍👩‍👧", "🇩🇪",
            "🇩", "\u{D7FF}", "\u{D7FF}z", "\u{E000}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "z\u{10FFFF}", "\u{7F}",
            "\u{200D}", "\u{301}", "10", "9",
        ].map { Spelling($0) } + composed

    /// Substrings and prefixes of the other texts; some end within a grapheme cluster.
    static let parts: [Spelling] = [
        "a", "b", "\n", "%", "_", "'", "e", "s", "本", "👩", "\u{200D}", "\u{301}", "\u{323}", "\u{10FFFF}", "z",
    ].map { Spelling($0) }

    private static let composed: [Spelling] = [
        Spelling("\u{E9}"), Spelling("e\u{301}", composed: "\u{E9}"), Spelling("e\u{301}a", composed: "\u{E9}a"),
        Spelling("\u{212B}", composed: "\u{C5}"), Spelling("A\u{30A}", composed: "\u{C5}"),
        Spelling("q\u{307}\u{323}", composed: "q\u{323}\u{307}"), Spelling("q\u{323}\u{307}"),
        Spelling("\u{1112}\u{1161}\u{11AB}", composed: "\u{D55C}"), Spelling("\u{958}", composed: "\u{915}\u{93C}"),
        Spelling("\u{344}", composed: "\u{308}\u{301}"), Spelling("\u{2126}", composed: "\u{3A9}"),
    ]

    private static let instants: [Int64] = [
        .min, -62_135_596_800_000_001, -1, 0, 1, 1_000_000, 1_763_000_000_123_456, .max,
    ]

    private static let days: [(Int, Int, Int)] = [
        (1, 1, 1), (999, 12, 31), (1000, 1, 1), (1582, 10, 10), (1970, 1, 1), (2024, 2, 29), (2024, 10, 1),
        (9999, 12, 31),
    ]

    private static let bytes: [[UInt8]] = [
        [], [0], [0, 0], [0, 1], [1], [97], [127], [128], [255], [255, 0], [255, 255],
    ]

    private static let ids: [(UInt64, UInt64)] = [
        (0, 0), (0, 1), (0, .max), (1, 0), (1 << 63, 0), (0, 1 << 63), (1 << 63 - 1, .max), (.max, 0), (.max, .max),
    ]
}

extension PlainRow {
    /// Rows with awkward values, many of them equal, each with a distinct id.
    static func make(_ count: Int, by chance: inout Chance) -> [PlainRow] {
        let ids = AwkwardValues.of(.id)
        return (0..<count).map { number in
            let values = Property.allCases.map { property -> PlainValue in
                if property == .id {
                    return number < ids.count ? ids[number] : .id(chance.next(), UInt64(number))
                }
                if property.isOptional && chance.happens(oneIn: 4) { return .missing }
                return chance.pick(AwkwardValues.ofRows(property.kind))
            }
            return PlainRow(values: values)
        }
    }
}
