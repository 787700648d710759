import LarderApp
import Testing

struct JSONWritingTests {
    private func text(_ json: JSON) -> String { String(decoding: json.bytes(), as: UTF8.self) }

    @Test func `members are in their order, without blanks`() {
        let json = JSON.object([
            JSON.Member("b", .array([.null, .bool(true), .bool(false)])), JSON.Member("a", .object([])),
            JSON.Member("c", .array([])),
        ])
        #expect(text(json) == #"{"b":[null,true,false],"a":{},"c":[]}"#)
    }

    static let numbers: [(JSON, String)] = [
        (.integer(0), "0"), (.integer(-7), "-7"), (.integer(1_200), "1200"), (.integer(.max), "9223372036854775807"),
        (.integer(.min), "-9223372036854775808"), (.number(0.1), "0.1"), (.number(5), "5.0"), (.number(-0.0), "-0.0"),
        (.number(1e300), "1e+300"), (.number(0.1 + 0.2), "0.30000000000000004"), (.number(.nan), "null"),
        (.number(-.infinity), "null"),
    ]

    @Test(arguments: numbers) func `numbers are written in the shortest form`(json: JSON, written: String) {
        #expect(text(json) == written)
    }

    @Test func `only quotes, backslashes and control characters are escaped`() {
        #expect(text(.string("a/b <é€😀\u{7F}\u{2028}>")) == "\"a/b <é€😀\u{7F}\u{2028}>\"")
        #expect(text(.string("\"q\" \\ \u{8}\u{C}\n\r\t\u{1}\u{1F}")) == #""\"q\" \\ \b\f\n\r\t\u0001\u001f""#)
        #expect(text(.object([JSON.Member("a\"\n", .string(""))])) == #"{"a\"\n":""}"#)
    }

    @Test func `writing appends`() {
        var bytes = Array("data: ".utf8)
        JSON.integer(-10).write(into: &bytes)
        JSON.string("x").write(into: &bytes)
        #expect(bytes == Array(#"data: -10"x""#.utf8))
    }

    @Test func `whatever is written reads as the same`() throws {
        var chance = RandomJSON(seed: 20_260_301)
        var kinds: Set<String> = []
        for _ in 0..<2_000 {
            let json = chance.json(depth: 5)
            let bytes = json.bytes()
            let again = try JSON(parsing: bytes)
            #expect(again == json)
            #expect(again.bytes() == bytes)
            kinds.insert(String("\(json)".prefix { $0 != "(" }))
        }
        #expect(kinds.count == 8, "a kind of value was never made")
    }
}
