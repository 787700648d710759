import LarderDomain
@_spi(_Unicode) private import Swift
import Testing

struct TextLimitTests {
    /// Combining marks that the standard library has to reorder, which takes quadratic time.
    private static let unordered = String(repeating: "\u{301}", count: 32) + String(repeating: "\u{323}", count: 32)

    @Test(arguments: [
        "a" + String(repeating: "\u{301}", count: 31), String(repeating: "\u{301}\u{323}", count: 16),
        "a" + String(repeating: "\u{F73}", count: 31), "a" + String(repeating: "\u{F81}\u{F75}", count: 16),
        String(repeating: "a", count: 100) + unordered,
    ])
    func `more than 30 successive combining marks are a long run`(text: String) {
        #expect(text.hasLongCombiningRun)
        #expect(throws: TextRefusal.tooManyCombiningMarks) { try text.composed(atMost: 1_000) }
    }

    @Test(arguments: [
        "", "plain", "a" + String(repeating: "\u{301}", count: 30),
        String(repeating: "a" + String(repeating: "\u{301}", count: 30), count: 9), "각각", "👨‍👩‍👧‍👦",
        String(repeating: "\u{200D}", count: 100), String(repeating: "क\u{94D}", count: 100),
    ])
    func `texts in natural languages have no long run`(text: String) throws {
        #expect(!text.hasLongCombiningRun)
        #expect(try text.composed(atMost: 1_000).utf8.elementsEqual(text.canonicallyComposed.utf8))
    }

    @Test func `no two code points below the first combining mark compose`() {
        let letters = (0..<0x300 as Range<UInt32>).compactMap(Unicode.Scalar.init)
        for first in letters {
            var pairs = String.UnicodeScalarView()
            for second in letters { pairs.append(contentsOf: [first, second]) }
            #expect(String(pairs)._nfc.elementsEqual(pairs))
            #expect(String(pairs).canonicallyComposed.unicodeScalars.elementsEqual(pairs))
        }
    }

    @Test func `the first code points after them are combining marks`() {
        let marks = (0x300...0x34E as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        #expect(marks.allSatisfy { $0.properties.canonicalCombiningClass != .notReordered })
        #expect(marks.allSatisfy { String($0).repeated(31).hasLongCombiningRun })
    }

    @Test func `characters are code points of the normalized text`() throws {
        // Three code points in nine bytes become one code point in three.
        let syllable = "\u{1100}\u{1161}\u{11A8}"
        #expect(try String(repeating: syllable, count: 200).composed(atMost: 200) == String(repeating: "각", count: 200))
        #expect(throws: TextRefusal.tooLong(limit: 200)) {
            try String(repeating: syllable, count: 201).composed(atMost: 200)
        }
        let family = "👨‍👩‍👧‍👦"
        #expect(try family.composed(atMost: 7) == family)
        #expect(throws: TextRefusal.tooLong(limit: 6)) { try family.composed(atMost: 6) }
    }

    @Test func `a text of far too many bytes is refused by them alone`() {
        #expect(throws: TextRefusal.tooLong(limit: 20)) { try Self.unordered.repeated(16).composed(atMost: 20) }
    }

    @Test func `the composed form of a long run is the one that the standard library compares by`() {
        for text in [
            Self.unordered, "e" + Self.unordered + "a" + Self.unordered, "\u{F71}".repeated(40) + "\u{F39}",
            "\u{344}\u{345}\u{323}".repeated(20), "각" + "\u{302}\u{300}\u{327}".repeated(15) + "\u{1100}\u{1161}",
        ] {
            let composed = text.canonicallyComposed
            #expect(composed == text)
            #expect(composed.canonicallyComposed.utf8.elementsEqual(composed.utf8))
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
