/// Texts with a disproportionate cost in naive code that compares, counts, or normalizes them.
struct HostileText: CustomStringConvertible, Sendable {
    let description: String
    private let start: String
    private let unit: String

    init(_ description: String, _ unit: String, start: String = "") {
        (self.description, self.start, self.unit) = (description, start, unit)
    }

    /// The text with about this many bytes.
    func text(bytes: Int) -> String {
        start + String(repeating: unit, count: max(1, (bytes - start.utf8.count) / unit.utf8.count))
    }

    /// The text with at most this many code points, and at least half as many.
    func text(codePoints: Int) -> String {
        let count = (codePoints - start.unicodeScalars.count) / unit.unicodeScalars.count
        return start + String(repeating: unit, count: max(0, count))
    }

    static let all: [HostileText] = [
        HostileText("one mark many times", "\u{301}", start: "a"),
        HostileText("marks in the wrong order", "\u{301}\u{323}", start: "a"),
        HostileText("marks of many classes", "\u{345}\u{315}\u{301}\u{327}\u{323}\u{334}", start: "a"),
        HostileText("marks without a letter", "\u{323}\u{301}"),
        HostileText("marks that decompose", "\u{344}\u{323}", start: "a"),
        HostileText("vowel signs of class 0 that decompose into marks", "\u{F81}\u{F73}", start: "\u{F40}"),
        HostileText("letters with 30 marks each", "a" + String(repeating: "\u{301}\u{323}", count: 15)),
        HostileText("letters that are longer when composed", "\u{1D160}"),
        HostileText("decomposed Hangul", "\u{1112}\u{1161}\u{11AB}"),
        HostileText("leading Hangul consonants", "\u{1100}"),
        HostileText("trailing Hangul consonants", "\u{11A8}", start: "\u{AC00}"),
        HostileText("families of emoji", "👨\u{200D}👩\u{200D}👧\u{200D}👦"),
        HostileText("one emoji of many joined", "\u{200D}👨", start: "👨"),
        HostileText("skin tones", "🏽", start: "👋"),
        HostileText("half flags", "🇩", start: "a"),
        HostileText("flags of tag characters", "\u{E0067}", start: "🏴"),
        HostileText("right-to-left with overrides", "\u{202E}ש\u{5C1}\u{5BC}\u{200F}"),
        HostileText("zero-width joiners and spaces", "\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}", start: "a"),
        HostileText("Indic conjuncts", "\u{915}\u{94D}"),
        HostileText("number signs that begin a cluster", "\u{600}", start: "a"),
    ]
}
