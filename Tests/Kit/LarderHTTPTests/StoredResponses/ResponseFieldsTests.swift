import LarderData
import LarderDomain
import LarderHTTP
import Testing

struct ResponseFieldsTests {
    @Test func `fields are read back from their column in their order, whatever their values contain`() throws {
        let fields = try ResponseFields([
            ("Content-Type", "text/plain; charset=utf-8"), ("Location", "http://[::1]:80/a?b=c:d"), ("ETag", "\"1-2\""),
            ("Empty", ""), ("Location", " again "),
        ])
        #expect(ResponseFields(columnValue: fields.columnValue()) == fields)
        #expect(fields["location"] == "http://[::1]:80/a?b=c:d" && fields["date"] == nil)
        #expect(ResponseFields(columnValue: ResponseFields().columnValue()) == ResponseFields())
    }

    @Test(arguments: [
        ("", "a"), ("a:b", "c"), ("a b", "c"), ("a\n", "b"), ("a", "b\r\nc"), ("a", "\u{E9}"), ("a", "\0"),
        ("a", String(repeating: "b", count: 8192)),
    ])
    func `a value that would not be read back is refused`(name: String, value: String) {
        let error = #expect(throws: InvalidField.self) { try ResponseFields([(name, value)]) }
        #expect(error?.field == "fields")
    }

    @Test(arguments: [Value.null, .integer(1), .text("no colon\n"), .text(":no name\n")])
    func `a column that holds no fields is no fields`(value: Value) {
        #expect(ResponseFields(columnValue: value) == nil)
    }

    @Test(arguments: [0, 100, 199, 600])
    func `a status is final and three digits`(status: Int) {
        #expect(throws: InvalidField.self) { try ResponseContent(status: status) }
    }
}
