import LarderApp
import LarderDomain
import Testing

struct JSONParsingTests {
    static let tenth = ExactDecimal(units: 1, scale: 1)
    static let accepted: [(String, JSON)] = [
        ("null", .null), ("true", .bool(true)), ("false", .bool(false)), (" \t\r\n1 \t\r\n", .integer(1)),
        ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(0x1p63)), ("-9223372036854775809", .number(-0x1p63)),
        ("1.0", .decimal(1)), ("1e2", .number(100)), ("1E+2", .number(100)), ("1.5e-3", .number(0.0015)),
        ("0.1", .decimal(tenth)), ("-0.0", .decimal(0)), ("0e00", .number(0)), ("1e-400", .number(0)),
        ("92233720368547758.07", .decimal(ExactDecimal(units: .max, scale: 2))),
        ("-9223372036.854775808", .decimal(ExactDecimal(units: .min, scale: 9))),
        ("92233720368547758.08", .number(92_233_720_368_547_758.08)), ("0.1000000000", .number(0.1)),
        ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
        (#""""#, .string("")), (#""a/b\/c""#, .string("a/b/c")), (#""é€😀""#, .string("é€😀")),
        (#""\"\\\b\f\n\r\t""#, .string("\"\\\u{8}\u{C}\n\r\t")),
        (#""\u0041\u00e9\u20AC\ud83d\uDE00""#, .string("Aé€😀")), ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")),
        (#""\uFEFF\uFFFF\u0001""#, .string("\u{FEFF}\u{FFFF}\u{1}")),
        ("[]", .array([])), ("[ ]", .array([])), ("[1 , [2]]", .array([.integer(1), .array([.integer(2)])])),
        ("{}", .object([])), ("{ }", .object([])), (#"{"":0}"#, .object([JSON.Member("", .integer(0))])),
        (
            #"{ "b" : 1 , "a" : { "b" : 2 } }"#,
            .object([
                JSON.Member("b", .integer(1)),
                JSON.Member("a", .object([JSON.Member("b", .integer(2))])),
            ])
        ),
    ]

    @Test func `control characters in texts are read on request, except for U+0000`() throws {
        #expect(
            try JSON(parsing: "[\"a\nb\u{1F}\"]".utf8, allowsControlCharacters: true) == .array([.string("a\nb\u{1F}")])
        )
        #expect(throws: JSONError.self) { try JSON(parsing: "\"\u{0}\"".utf8, allowsControlCharacters: true) }
        #expect(throws: JSONError.self) { try JSON(parsing: "\u{1F}1".utf8, allowsControlCharacters: true) }
    }

    @Test(arguments: accepted) func `valid input of the grammar is read`(text: String, json: JSON) throws {
        #expect(try JSON(parsing: text) == json)
    }

    /// Rejected text, the offset of the error, and a part of the reason.
    static let refused: [(String, Int, String)] = [
        ("", 0, "the document is empty"), (" \n ", 3, "the document is empty"), ("\u{FEFF}1", 0, "byte order mark"),
        ("nul", 0, "a value is expected"), ("True", 0, "a value is expected"), ("nulll", 4, "nothing may follow"),
        ("1 2", 2, "nothing may follow"), ("{} x", 3, "nothing may follow"), ("1\u{0}", 1, "nothing may follow"),
        ("\u{A0}1", 0, "a value is expected"), ("\u{C}1", 0, "a value is expected"),
        ("// a\n1", 0, "a value is expected"), ("[1 /* a */]", 3, "a comma or ']'"), ("'a'", 0, "a value is expected"),
        ("NaN", 0, "a value is expected"), ("Infinity", 0, "a value is expected"), ("-Infinity", 1, "a digit"),
        ("+1", 0, "a value is expected"), (".5", 0, "a value is expected"), ("-", 1, "a digit"), ("-a", 1, "a digit"),
        ("01", 0, "leading zero"), ("-01", 0, "leading zero"), ("00", 0, "leading zero"),
        ("01.5", 0, "leading zero"), ("1.", 2, "decimal point"), ("1.e5", 2, "decimal point"),
        ("1e", 2, "exponent"), ("1e+", 3, "exponent"), ("1e5.5", 3, "nothing may follow"), ("0x10", 1, "nothing"),
        ("1_000", 1, "nothing"), ("1e309", 0, "too large"), ("[-1e999]", 1, "too large"),
        ("[", 1, "the text ends"), ("[1", 2, "a comma or ']'"), ("[1,", 3, "the text ends"),
        ("[1,]", 3, "followed by a value"), ("[,1]", 1, "a value is expected"), ("[1,,2]", 3, "a value is expected"),
        ("[1 2]", 3, "a comma or ']'"), ("]", 0, "a value is expected"), ("[1}", 2, "a comma or ']'"),
        ("{", 1, "a name"), ("{1:2}", 1, "a name"), ("{a:1}", 1, "a name"), ("{'a':1}", 1, "a name"),
        (#"{"a"}"#, 4, "a colon"), (#"{"a" 1}"#, 5, "a colon"), (#"{"a":}"#, 5, "a value is expected"),
        (#"{"a":1,}"#, 7, "followed by a name"), (#"{"a":1 "b":2}"#, 7, "a comma or '}'"), (#"{,"a":1}"#, 1, "a name"),
        (#"{"a":1"#, 6, "a comma or '}'"), (#"{"a":1,"#, 7, "a name"), (#"{"a":1]"#, 6, "a comma or '}'"),
        (#"{"a":1,"a":1}"#, 7, "duplicate"), (#"{"a":1,"b":2,"\u0061":3}"#, 13, "duplicate"),
        ("{\"\u{E9}\":1,\"e\u{301}\":1}", 8, "duplicate"), (#"[{"a":{"b":1,"b":2}}]"#, 13, "duplicate"),
        (#"""#, 1, "inside quotes"), (#""a"#, 2, "inside quotes"), (#""\"#, 2, "inside quotes"),
        (#""\""#, 3, "inside quotes"), ("\"a\nb\"", 2, "control characters"), ("\"\t\"", 1, "control characters"),
        ("\"\u{0}\"", 1, "control characters"), ("{\"a\u{1F}\":1}", 3, "control characters"),
        (#""ab\x""#, 3, "invalid escape"), (#""\'""#, 1, "invalid escape"), (#""\U0041""#, 1, "invalid escape"),
        (#""\u""#, 1, "hexadecimal"), (#""\u12""#, 1, "hexadecimal"), (#""\u12G4""#, 1, "hexadecimal"),
        (#""\u+123""#, 1, "hexadecimal"), (#""\u{41}""#, 1, "hexadecimal"), ("\"\\u００４１\"", 1, "hexadecimal"),
        (#""\u0000""#, 1, "U+0000"), (#""a\u0000b""#, 2, "U+0000"), (#"{"a\u0000":1}"#, 3, "U+0000"),
        (#""\ud83d""#, 1, "surrogate"), (#""\ude00""#, 1, "surrogate"), (#""\ud83dx""#, 1, "surrogate"),
        (#""\ud83d\n""#, 1, "surrogate"), (#""\ud83d\u0041""#, 1, "surrogate"), (#""\ud83d\ud83d""#, 1, "surrogate"),
        (#""\ude00\ud83d""#, 1, "surrogate"), (#""\ud83d\u12""#, 7, "hexadecimal"),
    ]

    @Test(arguments: refused) func `input that the grammar or the service does not allow is refused`(
        text: String, offset: Int, reason: String
    ) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.offset == offset)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "nothing") for \(text)")
    }

    /// The name of an invalid UTF-8 sequence, the bytes between quotes, and the number of valid bytes.
    static let notUTF8: [(String, [UInt8], Int)] = [
        ("a lone continuation", [0x80], 0), ("a byte that is never used", [0x61, 0xFF], 1),
        ("a sequence cut short", [0xC3, 0xA9, 0xE2, 0x82], 2), ("an overlong slash", [0xC0, 0xAF], 0),
        ("an overlong U+0000", [0xC0, 0x80], 0), ("a surrogate", [0x61, 0x62, 0xED, 0xA0, 0xBD], 2),
        ("beyond U+10FFFF", [0xF4, 0x90, 0x80, 0x80], 0), ("after an escape", [0x5C, 0x6E, 0xFE], 2),
    ]

    @Test(arguments: notUTF8) func `bytes that are not UTF-8 are refused in texts and names`(
        name: String, bytes: [UInt8], good: Int
    ) {
        let quoted: [UInt8] = [0x22] + bytes + [0x22]
        let error = #expect(throws: JSONError.self) { try JSON(parsing: quoted) }
        #expect(error?.reason == "this is not UTF-8")
        #expect(error?.offset == 1 + good)
        let named = #expect(throws: JSONError.self) {
            try JSON(parsing: Array("[{".utf8) + quoted + Array(":1}]".utf8))
        }
        #expect(named?.offset == 3 + good)
        #expect(named?.pointer == "/0")
    }

    @Test func `a text that takes quadratic time to compare is refused by its place`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 16)
        let value = #expect(throws: JSONError.self) { try JSON(parsing: #"{"steps":[{"text":"a\#(marks)"}]}"#) }
        #expect(value?.isAboutText == true && value?.pointer == "/steps/0/text")
        let name = #expect(throws: JSONError.self) { try JSON(parsing: #"{"steps":[{"a\#(marks)":1}]}"#) }
        #expect(name?.isAboutText == true && name?.pointer == "/steps/0")
        let escaped = #expect(throws: JSONError.self) {
            try JSON(parsing: "[\"" + String(repeating: #"\u0301"#, count: 31) + "\"]")
        }
        #expect(escaped?.isAboutText == true && escaped?.pointer == "/0")
        _ = try JSON(parsing: "\"" + String(repeating: "\u{301}", count: 30) + "\"")
    }

    @Test func `bytes beyond ASCII outside quotes are refused`() {
        #expect(throws: JSONError.self) { try JSON(parsing: [0xFF, 0xFE, 0x31, 0x00]) }
        #expect(throws: JSONError.self) { try JSON(parsing: [0x31, 0x80]) }
    }

    @Test(arguments: [("[", "1", "]"), ("[", "[]", "]"), (#"{"#, #"":1"#, "}")])
    func `a text with too many values is refused where the first of them begins`(
        start: String, element: String, end: String
    ) throws {
        func text(_ count: Int, _ name: String = "a") -> String {
            let hasNames = start == "{"
            let elements = (1..<count).map { hasNames ? "\"\(name)\($0)\(element)" : element }
            return start + elements.joined(separator: ",") + end
        }
        let whole = text(JSON.greatestCount)
        _ = try JSON(parsing: whole)
        let more = whole.dropLast() + "," + text(1_000, "b").dropFirst()
        let error = #expect(throws: JSONError.self) { try JSON(parsing: String(more)) }
        #expect(error?.isAboutCount == true && error?.reason == "there are too many values")
        #expect(abs((error?.offset ?? 0) - whole.utf8.count) < 10)
        #expect(throws: JSONError.self) { try JSON(parsing: text(4).utf8, atMost: 3) }
        _ = try JSON(parsing: text(JSON.greatestCount + 1_000).utf8, atMost: .max)
    }

    @Test func `arrays and objects are nested at most 64 deep`() throws {
        func nested(_ count: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        _ = try JSON(parsing: nested(64, "[", "]"))
        _ = try JSON(parsing: nested(32, #"[{"a":"#, "}]"))
        _ = try JSON(parsing: "[" + nested(63, "[", "]") + "," + nested(63, "[", "]") + "]")
        for text in [nested(65, "[", "]"), nested(65, #"{"a":"#, "}"), String(repeating: "[", count: 200_000)] {
            let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
            #expect(error?.reason == "arrays and objects are nested more than 64 deep")
        }
    }
}
