import LarderApp
import Testing

/// The notation of composed stores.
struct StoreNotationTests {
    private let environment = UserEnvironment(["HOME": "/ada"])

    @Test(
        arguments: [
            (
                "mirrored(sqlite:a, file:b)",
                .mirrored(primary: .sqlite(path: "a"), mirrors: [.file(folder: "b")], required: 0)
            ),
            (
                "mirrored( sqlite:~/a ,file:b , memory: ,required=2)",
                .mirrored(primary: .sqlite(path: "/ada/a"), mirrors: [.file(folder: "b"), .memory], required: 2)
            ),
            ("read-only(sqlite:a b)", .readOnly(.sqlite(path: "a b"))),
            (
                "read-only(mirrored(memory:, file:b))",
                .readOnly(.mirrored(primary: .memory, mirrors: [.file(folder: "b")], required: 0))
            ),
            (#"read-only("file:a(1), ""b""")"#, .readOnly(.file(folder: #"a(1), "b""#))),
            (#"read-only( "file:a " )"#, .readOnly(.file(folder: "a "))),
            ("sqlite:mirrored(a)", .sqlite(path: "mirrored(a)")),
        ] as [(String, StoreLocation)])
    func `a composition is a word and its members, and is written as it is read`(
        text: String, location: StoreLocation
    ) throws {
        let parsed = try StoreLocation(text, environment: environment)
        #expect(parsed == location)
        #expect(try StoreLocation(parsed.description, environment: environment) == location)
    }

    @Test(arguments: [
        ("mirrored(sqlite:a, fil:b)", "unknown kind 'fil'", 19),
        ("mirrored(sqlite:a,)", "the kind of store is missing", 18),
        ("mirrored(sqlite:a)", "a primary and a mirror are required", 9),
        ("mirrored(sqlite:a, file:)", "the path is missing", 19),
        ("mirrored(sqlite:a, file:b", "',' or ')' is missing", 25),
        ("mirrored(sqlite:a, file:b))", "nothing may follow the last ')'", 26),
        ("mirrored(sqlite:a, sqlite:a)", "sqlite:a is named twice", 19),
        ("mirrored(sqlite:a, file:b, required=x)", "required must be a non-negative integer", 27),
        ("mirrored(sqlite:a, file:b, required=2)", "required exceeds the number of mirrors, 1", 27),
        ("mirrored(sqlite:a, mirrored(file:b, file:c))", "a member must be a single store", 19),
        ("mirrored(sqlite:a, file:b(1))", "enclose a member with this character in double quotes", 25),
        (#"mirrored(sqlite:a, "file:b)"#, "the closing quotation mark is missing", 19),
        ("read-only(sqlite:a, file:b)", "')' is missing", 18), ("read-only()", "the kind of store is missing", 10),
        ("read-only(read-only(memory:))", "a member must be a single store", 10),
        ("sealed(sqlite:a)", "columns are sealed by the setting sealing-keys, and whole stores by passphrase", 0),
    ])
    func `an error points to its place`(text: String, reason: String, column: Int) {
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        let caret = String(repeating: " ", count: column) + "^"
        #expect(error?.description == "invalid store: \(reason)\n  \(text)\n  \(caret)")
    }

    @Test func `a text that may contain a password is not repeated`() {
        let text = "mirrored(sqlite:a, postgres://ada:s3cret@db/cook, fil:b)"
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        #expect(error?.description.hasPrefix("invalid store: character ") == true)
        #expect(error?.description.contains("s3cret") == false)
    }
}
