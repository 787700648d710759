import LarderApp
import Testing

struct JSONErrorTests {
    private func error(_ text: String) -> JSONError? {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func `lines and columns count from 1, columns in characters`() {
        let error = error("{\n  \"é😀\": 1,\r\n  \"é\": tru\n}")
        #expect(error?.line == 3)
        #expect(error?.column == 8)
        #expect(error?.offset == 26)
        #expect(error?.description == "line 3, column 8: a value is expected")
    }

    @Test func `the pointer names the innermost value around the place`() {
        #expect(error("[1")?.pointer == "")
        #expect(error(#"{"a":[0,{"b":x}]}"#)?.pointer == "/a/1/b")
        #expect(error(#"{"a/b":{"m~n":[1 2]}}"#)?.pointer == "/a~1b/m~0n")
        #expect(error(#"{"a":[{"b":1,"b":2}]}"#)?.pointer == "/a/0/b")
    }

    @Test func `a pointer that would be very long is left out`() {
        let name = String(repeating: "n", count: 999)
        #expect(error("{\"\(name)\":x}")?.pointer == "/" + name)
        #expect(error("{\"\(name)\":[x]}")?.pointer == nil)
    }

    @Test func `the same name may be in different objects`() throws {
        _ = try JSON(parsing: #"{"a":{"a":[{"a":1},{"a":2}]}}"#)
    }

    @Test func `names in large objects are distinguished, and repeated ones found`() throws {
        let members = (0..<20_000).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        let json = try JSON(parsing: "{\(members)}")
        #expect(json["n19999"] == .integer(19_999))
        for doubled in [3, 15, 16, 17, 19_999] {
            #expect(error("{\(members),\"n\(doubled)\":0}")?.pointer == "/n\(doubled)")
        }
    }

    @Test func `a number of very many digits takes no long time`() throws {
        let digits = String(repeating: "7", count: 250_000)
        #expect(error(digits)?.reason == "this number is too large")
        #expect(try JSON(parsing: "0." + digits) == .number(7.0 / 9))
    }
}
