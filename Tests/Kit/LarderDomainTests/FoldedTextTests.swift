import LarderDomain
import Testing

@Suite("Folded texts")
struct FoldedTextTests {
    @Test(arguments: [
        ("Ångström", "angstrom"), ("Éclair", "eclair"), ("Über", "uber"), ("İstanbul", "istanbul"),
        ("ıstanbul", "istanbul"), ("ΒΟΡΡΆΣ", "βορρασ"), ("βορράς", "βορρασ"), ("Straße", "strasse"),
        ("STRAẞE", "strasse"), ("Łódź", "lodz"), ("Smørrebrød", "smorrebrod"), ("Ðakovo Đ", "dakovo d"),
        ("Œuf Æ", "oeuf ae"), ("Þór", "thor"), ("Ħal", "hal"), ("ﬁsh", "fish"), ("soft\u{AD}hyphen", "softhyphen"),
        ("ガ", "ガ"), ("हिन्दी", "हिन्दी"), ("Salz & Pfeffer, 2 EL", "salz & pfeffer, 2 el"), ("", ""),
    ])
    func `a text is folded`(_ text: String, _ folded: String) {
        #expect(text.folded.unicodeScalars.elementsEqual(folded.unicodeScalars), "\(text.folded.unicodeScalars)")
    }

    /// The iota subscript, which upper case writes as a letter.
    private let iota = Unicode.Scalar(0x345)

    @Test func `every letter is folded as its upper and lower case, and only once`() {
        for scalar in (0...UInt32(0x1_E9FF)).lazy.compactMap(Unicode.Scalar.init)
        where scalar.properties.changesWhenCaseMapped {
            let (text, folded) = (String(scalar), String(scalar).folded)
            if text.canonicallyDecomposed.contains(where: { $0 == iota }) { continue }
            #expect(text.uppercased().folded == folded && text.lowercased().folded == folded, "\(scalar)")
            #expect(folded.folded == folded && folded.canonicallyComposed == folded, "\(scalar)")
        }
    }

    @Test func `no text is no folded text`() {
        #expect((nil as String?).folded == nil && ("É" as String?).folded == "e")
    }
}
