import LarderApp
import LarderDomain
import Testing

struct JSONFieldsTests {
    private struct Thing {}

    private func fields(_ text: String, at pointer: String = "") throws -> JSONFields {
        JSONFields(try JSON(parsing: text), at: pointer)
    }

    private func notes(_ fields: JSONFields) -> [String] { fields.errors.map { "\($0.pointer) \($0.detail)" } }

    private let id = "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87"

    @Test func `each type is read, and unknown members are passed over`() throws {
        var fields = try fields(
            #"{"s":"text","i":-3,"n":1.5,"m":2,"b":false,"d":"7","id":"\#(id)","o":{"x":1},"other":[[]]}"#)
        #expect(fields.requiredString("s") == "text")
        #expect(fields.requiredInteger("i") == -3)
        #expect(fields.requiredNumber("n") == 1.5)
        #expect(fields.requiredNumber("m") == 2)
        #expect(fields.requiredBool("b") == false)
        #expect(fields.requiredParsed("d", "must be digits") { Int($0) } == 7)
        #expect(fields.requiredID("id", of: Thing.self)?.description == id)
        #expect(fields.requiredObject("o") { $0.requiredInteger("x") } == 1)
        try fields.check()
    }

    @Test(arguments: ["19.90", "0.1", "-0.05", "7", "92233720368547758.07", "-9223372036.854775808"])
    func `a decimal is read as it was written, and written as it was read`(literal: String) throws {
        var fields = try fields("{\"d\":\(literal)}")
        let decimal = fields.decimal("d")
        try fields.check()
        #expect(decimal?.description == literal)
        #expect(decimal.map { String(decoding: $0.json.bytes(), as: UTF8.self) } == literal)
    }

    @Test(arguments: ["1e2", "0.1234567891", "92233720368547758.08", "9223372036854775808", "\"1.5\"", "true"])
    func `a number that is not exactly such a decimal is noted, and not rounded`(literal: String) throws {
        var fields = try fields("{\"d\":\(literal)}")
        #expect(fields.requiredDecimal("d") == nil)
        #expect(
            notes(fields) == ["/d must be a number with at most nine digits after the point, without exponent"])
    }

    @Test func `lists are read in their order`() throws {
        var fields = try fields(#"{"o":[{"x":1},{"x":2}],"s":["a","b"],"i":["\#(id)"],"e":[]}"#)
        #expect(fields.requiredObjects("o") { $0.requiredInteger("x") } == [1, 2])
        #expect(fields.requiredStrings("s") == ["a", "b"])
        #expect(fields.requiredIDs("i", of: Thing.self)?.map(\.description) == [id])
        #expect(fields.requiredStrings("e") == [])
        try fields.check()
    }

    @Test(arguments: ["{}", #"{"a":null}"#])
    func `an absent or null member is nil if it is optional, and noted once if it is required`(text: String) throws {
        var optional = try fields(text)
        #expect(optional.string("a") == nil)
        #expect(optional.integer("a") == nil)
        #expect(optional.number("a") == nil)
        #expect(optional.decimal("a") == nil)
        #expect(optional.bool("a") == nil)
        #expect(optional.id("a", of: Thing.self) == nil)
        #expect(optional.parsed("a", "must be x") { $0 } == nil)
        #expect(optional.object("a") { _ in 1 } == nil)
        #expect(optional.objects("a") { _ in 1 } == nil)
        #expect(optional.strings("a") == nil)
        #expect(optional.ids("a", of: Thing.self) == nil)
        try optional.check()

        let readers: [(inout JSONFields) -> Void] = [
            { _ = $0.requiredString("a") }, { _ = $0.requiredInteger("a") }, { _ = $0.requiredNumber("a") },
            { _ = $0.requiredDecimal("a") }, { _ = $0.requiredBool("a") }, { _ = $0.requiredID("a", of: Thing.self) },
            { _ = $0.requiredParsed("a", "must be x") { $0 } }, { _ = $0.requiredObject("a") { _ in 1 } },
            { _ = $0.requiredObjects("a") { _ in 1 } }, { _ = $0.requiredStrings("a") },
            { _ = $0.requiredIDs("a", of: Thing.self) },
        ]
        for read in readers {
            var required = try fields(text)
            read(&required)
            #expect(notes(required) == ["/a is required"])
        }
    }

    @Test func `a value of another type is noted with the expected type`() throws {
        var fields = try fields(#"{"a":[1],"s":"x"}"#)
        #expect(fields.string("a") == nil)
        #expect(fields.integer("s") == nil)
        #expect(fields.number("s") == nil)
        #expect(fields.bool("s") == nil)
        #expect(fields.id("s", of: Thing.self) == nil)
        #expect(fields.parsed("s", "must be digits") { Int($0) } == nil)
        #expect(fields.parsed("a", "must be digits") { Int($0) } == nil)
        #expect(fields.object("a") { _ in 1 } == nil)
        #expect(fields.strings("s") == nil)
        #expect(fields.ids("s", of: Thing.self) == nil)
        #expect(fields.objects("s") { _ in 1 } == nil)
        let mustBeID = "must be an id, such as 0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87"
        #expect(
            notes(fields) == [
                "/a must be a string", "/s must be an integer", "/s must be a number", "/s must be true or false",
                "/s \(mustBeID)", "/s must be digits", "/a must be digits", "/a must be an object",
                "/s must be a list", "/s must be a list", "/s must be a list",
            ])
    }

    @Test(arguments: [
        ("1.0", "must be an integer, without fraction or exponent"),
        ("1e2", "must be an integer, without fraction or exponent"),
        ("0.5", "must be an integer, without fraction or exponent"),
        ("9223372036854775808", "must be an integer of at most 64 bits"), (#""1""#, "must be an integer"),
        ("true", "must be an integer"),
    ]) func `a number with fraction or exponent is no integer`(value: String, detail: String) throws {
        var fields = try fields(#"{"n":\#(value)}"#)
        #expect(fields.integer("n") == nil)
        #expect(notes(fields) == ["/n \(detail)"])
    }

    @Test func `elements have pointers of their own, and names in them are escaped`() throws {
        var fields = try fields(
            #"{"a/b":[{"m~":1},7,{"m~":"x"},{}],"s":["a",1,null],"i":["\#(id)","x"],"o":{"p":{"q":2}}}"#, at: "/0")
        let numbers = fields.objects("a/b") { $0.requiredInteger("m~") }
        #expect(numbers == [1])
        #expect(fields.strings("s") == ["a"])
        #expect(fields.ids("i", of: Thing.self)?.count == 1)
        _ = fields.object("o") { outer in outer.object("p") { inner in inner.string("q") } }
        #expect(
            notes(fields) == [
                "/0/a~1b/1 must be an object", "/0/a~1b/2/m~0 must be an integer", "/0/a~1b/3/m~0 is required",
                "/0/s/1 must be a string", "/0/s/2 must be a string",
                "/0/i/1 must be an id, such as 0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87", "/0/o/p/q must be a string",
            ])
    }

    @Test(arguments: ["[]", "1", "null", #""{}""#]) func `a value that is no object is reported only as such`(
        text: String
    ) throws {
        var fields = try fields(text)
        #expect(fields.requiredString("a") == nil)
        #expect(fields.requiredObjects("b") { _ in 1 } == nil)
        #expect(notes(fields) == [" must be an object"])
    }

    @Test func `all that was noted is thrown, up to a limit`() throws {
        var fields = JSONFields(.object([JSON.Member("a", .array(Array(repeating: .null, count: 1_000)))]))
        #expect(fields.strings("a") == [])
        #expect(fields.integer("b") == nil)
        fields.note("b", "must be odd")
        let error = #expect(throws: InvalidFields.self) { try fields.check() }
        #expect(error?.errors.count == JSONFields.errorLimit)
        #expect(error?.errors.last == FieldError(pointer: "/a/99", detail: "must be a string"))
    }

    @Test(arguments: [(99, 99, true), (100, 100, true), (1_000, 101, false)])
    func `elements are read up to the first error that is not noted`(
        count: Int, reads: Int, isComplete: Bool
    ) throws {
        var fields = JSONFields(.object([JSON.Member("a", .array(Array(repeating: .object([]), count: count)))]))
        var calls = 0
        _ = fields.objects("a") { element -> Int? in
            calls += 1
            return element.requiredInteger("b")
        }
        #expect(calls == reads)
        let error = #expect(throws: InvalidFields.self) { try fields.check() }
        #expect(error?.errors.count == min(count, JSONFields.errorLimit) && error?.isComplete == isComplete)
    }

    @Test func `errors that were not noted are known to the outer object`() throws {
        let many = JSON.object([JSON.Member("b", .array(Array(repeating: .null, count: 101)))])
        var fields = JSONFields(.object([JSON.Member("a", .array([many, .object([])]))]))
        var calls = 0
        _ = fields.objects("a") { element in
            calls += 1
            return element.strings("b")
        }
        #expect(calls == 1)
        #expect(throws: InvalidFields.self) { try fields.check() }
    }

    @Test func `an error of an initializer is noted at the field of its name`() throws {
        func refuse(_ name: String) throws(InvalidField) -> Int {
            throw InvalidField(entity: "thing", field: name, reason: "must be short")
        }
        var fields = try fields(#"{"a":[{}]}"#)
        #expect(fields.made { () throws(InvalidField) in try refuse("x/y") } == nil)
        #expect(fields.made { 1 } == 1)
        _ = fields.objects("a") { element in element.made { () throws(InvalidField) in try refuse("z") } }
        #expect(notes(fields) == ["/x~1y must be short", "/a/0/z must be short"])
        let field = InvalidField(entity: "thing", field: "z", reason: "must be short")
        #expect(InvalidFields(field, at: "/a").errors == [FieldError(pointer: "/a/z", detail: "must be short")])
    }

    @Test func `the end of the reading unwraps the required values`() throws {
        var whole = try fields(#"{"a":"x","b":1}"#)
        let (a, b) = try whole.check(whole.requiredString("a"), whole.requiredInteger("b"))
        #expect(a == "x")
        #expect(b == 1)
        var lacking = try fields("{}")
        let values = (lacking.requiredString("a"), lacking.string("b"))
        #expect(throws: InvalidFields([FieldError(pointer: "/a", detail: "is required")])) {
            _ = try lacking.check(values.0, values.1)
        }
        #expect(throws: InvalidFields([FieldError(pointer: "", detail: "is not complete")])) {
            _ = try fields("{}").check(values.1)
        }
    }

    @Test func `a trouble has a form in answers`() {
        let json = FieldError(pointer: "/a", detail: "is required").json
        #expect(String(decoding: json.bytes(), as: UTF8.self) == #"{"pointer":"/a","detail":"is required"}"#)
    }

    @Test func `null and an absent member differ only for readers that distinguish them`() throws {
        var fields = JSONFields(try JSON(parsing: #"{"a":null,"b":"","c":[null]}"#))
        #expect(fields.isNull("a") && !fields.isNull("b") && !fields.isNull("c") && !fields.isNull("d"))
        #expect(fields.string("a") == nil && fields.string("d") == nil)
        try fields.check()
        #expect(!JSONFields(.null).isNull("a"))
    }
}
