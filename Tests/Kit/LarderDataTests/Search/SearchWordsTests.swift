import LarderDomain
import Testing

@testable import LarderData

struct SearchWordsTests {
    private func words(_ text: String) -> [String] { Array(SearchWords(text)) }

    /// Compares scalars: equal characters may have different bytes.
    private func expect(
        _ text: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = words(text).map { Array($0.unicodeScalars) }
        #expect(found == expected.map { Array($0.unicodeScalars) }, "\(text)", sourceLocation: sourceLocation)
    }

    @Test func `letters and numbers are words in lower case, and everything else separates them`() {
        expect("", [])
        expect(" — 🥖 * ,", [])
        expect("Half a Cup (125 ml): don't stir!", ["half", "a", "cup", "125", "ml", "don", "t", "stir"])
        expect("½ l², Ⅻ", ["½", "l²", "ⅻ"])
        expect("one\u{0}two\r\nthree", ["one", "two", "three"])
    }

    @Test func `diacritics are dropped, in composed and in decomposed form`() {
        expect("Crème cre\u{300}me ÅNGSTRÖM Çà", ["creme", "creme", "angstrom", "ca"])
        expect("Ёлка Йод", ["елка", "иод"])
        expect("άλφα ΟΔΟΣ οδός", ["αλφα", "οδοσ", "οδοσ"])
        expect("שָׁלוֹם", ["שלום"])
        // Two orders of marks that are canonically equivalent, and marks without a letter.
        expect("a\u{301}\u{323} a\u{323}\u{301} \u{301}\u{301}", ["a", "a"])
        expect("İstanbul ılık", ["istanbul", "ilik"])
    }

    /// They are dropped without a look at their properties.
    @Test func `the marks from U+0300 to U+0333 are diacritics above or below a letter`() {
        for value in 0x300...0x333 as ClosedRange<UInt32> {
            let properties = Unicode.Scalar(value)!.properties
            #expect(properties.generalCategory == .nonspacingMark && properties.canonicalCombiningClass.rawValue >= 10)
        }
    }

    @Test func `letters that do not decompose are folded`() {
        expect("Straße STRASSE ẞ", ["strasse", "strasse", "ss"])
        expect("Smørbrød Œuf Æble Łódź đ þ ħ", ["smorbrod", "oeuf", "aeble", "lodz", "d", "th", "h"])
    }

    @Test func `each ideograph is a word, and marks of other scripts belong to theirs`() {
        expect("東京 寿司2", ["東", "京", "寿", "司", "2"])
        expect("パン カ\u{3099}", ["パン", "ガ"])
        expect("한국 \u{1112}\u{1161}\u{11AB}", ["한국", "한"])
        expect("हिन्दी", ["हिन्दी"])
        expect("ไทย กำ", ["ไทย", "กำ"])
    }

    @Test func `formats do not end a word`() {
        expect("but\u{AD}ter a\u{200D}b 1\u{FE0F}\u{20E3}", ["butter", "ab", "1"])
    }

    @Test func `long words are cut, and long texts take linear time`() {
        #expect(words(String(repeating: "x", count: 100_000)).map(\.count) == [SearchWords.maximumLength])
        #expect(words(String(repeating: "a ", count: 100_000)).count == 100_000)
        #expect(words("a" + String(repeating: "\u{301}\u{323}", count: 100_000) + "b") == ["ab"])
    }

    @Test func `an asterisk marks a prefix only directly after its word`() {
        func prefixes(_ text: String) -> [Bool] {
            var (words, found) = (SearchWords(text), [Bool]())
            while words.next() != nil { found.append(words.isPrefix) }
            return found
        }
        #expect(prefixes("a* b *c d**e 東* f *") == [true, false, false, true, false, true, false])
        #expect(prefixes("a*") == [true] && prefixes("*a") == [false])
    }
}
