/// The character references of HTML: `&amp;`, `&#189;`, `&#xBD;`.
///
/// The known names are those of HTML 4 for Latin-1, and the names of HTML 5 that are usual in recipes: punctuation,
/// fractions, signs. A reference needs its semicolon.
enum HTMLReferences {
    /// The maximum bytes of a reference between `&` and `;`.
    private static let longest = 12

    /// The text with its references replaced; `nil` if it has none that is known.
    ///
    /// - Complexity: O(*n*).
    static func resolved(_ bytes: [UInt8]) -> [UInt8]? {
        guard var next = bytes.firstIndex(of: UInt8(ascii: "&")) else { return nil }
        var result = Array(bytes[..<next])
        result.reserveCapacity(bytes.count)
        var hasFound = false
        while next < bytes.count {
            if bytes[next] == UInt8(ascii: "&"),
                let end = bytes[next...].prefix(longest + 2).firstIndex(of: UInt8(ascii: ";")),
                let character = character(bytes[(next + 1)..<end])
            {
                result += character.utf8
                next = end + 1
                hasFound = true
            } else {
                result.append(bytes[next])
                next += 1
            }
        }
        return hasFound ? result : nil
    }

    /// The text of a reference without `&` and `;`; `nil` if it is unknown.
    private static func character(_ name: ArraySlice<UInt8>) -> String? {
        let name = String(decoding: name, as: UTF8.self)
        guard name.hasPrefix("#") else { return names[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let body = isHexadecimal ? digits.dropFirst() : digits
        // `UInt32` also accepts a sign.
        guard let first = body.utf8.first, first != UInt8(ascii: "+"),
            let code = UInt32(body, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        if code >= 0x80, code < 0xA0 { return windows[Int(code - 0x80)] }
        guard code != 0, let scalar = Unicode.Scalar(code) else { return "\u{FFFD}" }
        return code == 0xA0 ? " " : String(Character(scalar))
    }

    /// 0x80 to 0x9F, which pages mean as characters of Windows-1252.
    private static let windows: [String] =
        "€ \u{81} ‚ ƒ „ … † ‡ ˆ ‰ Š ‹ Œ \u{8D} Ž \u{8F} \u{90} ‘ ’ “ ” • – — ˜ ™ š › œ \u{9D} ž Ÿ"
        .split(separator: " ").map { $0.unicodeScalars.allSatisfy { $0.value < 0xA0 } ? " " : String($0) }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt32(0xA0 + offset)).map { String(Character($0)) }
        }
        for pair in others.split(separator: " ") {
            let parts = pair.split(separator: ":", maxSplits: 1)
            names[String(parts[0])] = String(parts[1])
        }
        // A space that only prevents a line break, and a hyphen that only permits one, are layout.
        for name in ["nbsp", "ensp", "emsp", "thinsp", "hairsp", "Tab"] { names[name] = " " }
        for name in ["shy", "zwj", "zwnj", "lrm", "rlm"] { names[name] = "" }
        names["NewLine"] = "\n"
        return names
    }()

    /// U+00A0 to U+00FF in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
        thorn yuml
        """

    private static let others = """
        amp:& AMP:& lt:< LT:< gt:> GT:> quot:" QUOT:" apos:' lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” bdquo:„ lsaquo:‹ \
        rsaquo:› ndash:– mdash:— minus:− horbar:― hellip:… bull:• prime:′ Prime:″ frasl:⁄ half:½ frac13:⅓ frac23:⅔ \
        frac15:⅕ frac25:⅖ frac35:⅗ frac45:⅘ frac16:⅙ frac56:⅚ frac18:⅛ frac38:⅜ frac58:⅝ frac78:⅞ euro:€ trade:™ \
        permil:‰ le:≤ ge:≥ ne:≠ asymp:≈ infin:∞ larr:← uarr:↑ rarr:→ darr:↓ harr:↔ check:✓ star:☆ starf:★ hearts:♥ \
        oelig:œ OElig:Œ scaron:š Scaron:Š zcaron:ž Zcaron:Ž ccaron:č Ccaron:Č cacute:ć Cacute:Ć lstrok:ł Lstrok:Ł \
        nacute:ń sacute:ś zacute:ź zdot:ż eogon:ę aogon:ą abreve:ă scedil:ş gbreve:ğ inodot:ı Yuml:Ÿ fnof:ƒ circ:ˆ \
        tilde:˜ dagger:† Dagger:‡ excl:! num:# percnt:% lpar:( rpar:) ast:* plus:+ comma:, period:. sol:/ colon:: semi:; \
        equals:= quest:? commat:@ lsqb:[ rsqb:] bsol:\\ lowbar:_ grave:` lbrace:{ rbrace:} verbar:| hyphen:‐ dash:‐
        """
}
