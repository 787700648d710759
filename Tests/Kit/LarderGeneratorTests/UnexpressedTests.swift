import Testing

@testable import LarderGenerator

/// What an adoption names, and does not express.
struct UnexpressedTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// The plan for a database with the tables of a statement.
    private func adoption(_ sql: String) throws -> Adoption {
        try Adoption(try Sources.schema(sql, in: scratch)) { _, _ in false }
    }

    @Test(arguments: [
        ("a (x TEXT)", "it has no key"), ("a (x REAL PRIMARY KEY)", "its key has the type REAL"),
        ("a (x PRIMARY KEY)", "its key has no type"), ("a (x BLOB PRIMARY KEY NOT NULL)", "its key has the type BLOB"),
        ("\"a|b\" (x TEXT PRIMARY KEY)", "a character that no list can have"),
    ])
    func `a table that cannot be adopted is named with the reason`(table: String, reason: String) throws {
        let adoption = try adoption("CREATE TABLE \(table)")
        #expect(adoption.tables.isEmpty && adoption.omitted.count == 1)
        #expect(adoption.omitted[0].reason.contains(reason), "\(adoption.omitted)")
    }

    @Test(arguments: [
        ("b INTEGER AS (id + 1)", "b", "is generated"), ("b GEOMETRY", "b", "has the type GEOMETRY"),
        ("b INTEGER[]", "b", "has an array"), ("b", "b", "has no type"), ("b JSON", "b", "json: kept as a text"),
        ("b TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP", "b", "DEFAULT CURRENT_TIMESTAMP"),
        ("b TEXT DEFAULT 'x'", "b", "DEFAULT 'x'"), ("b INTEGER CHECK (b > 0)", "", "CHECK (b > 0)"),
        ("b TEXT CHECK (b IN ('A', 'B'))", "b", "no cases of an enum"),
        ("b TEXT COLLATE NOCASE UNIQUE", "b", "is unique in any case"), ("b BOOLEAN UNIQUE", "b", "is unique"),
        ("b INTEGER REFERENCES missing", "b", "refers to missing, which is not adopted"),
        ("b INTEGER UNIQUE, c INTEGER REFERENCES a (b)", "c", "that are not its key"),
        ("b INTEGER REFERENCES a ON DELETE SET DEFAULT", "b", "ON DELETE SET DEFAULT"),
        ("b INTEGER REFERENCES a ON UPDATE SET NULL", "b", "ON UPDATE SET NULL"),
        ("b INTEGER NOT NULL REFERENCES z ON DELETE SET NULL", "b", "ON DELETE SET NULL: deleting the other"),
        ("b INTEGER NOT NULL REFERENCES a", "b", "NOT NULL: optional"),
        ("b INTEGER REFERENCES a REFERENCES z", "b", "a second reference, to z"),
        ("b TEXT); CREATE VIEW v AS SELECT 1; SELECT (1", "", "is not a table with rows"),
        ("b TEXT); CREATE INDEX i ON a (b) WHERE b > 1; SELECT (1", "b", "the partial index i"),
        (
            "b TEXT); CREATE UNIQUE INDEX i ON a (lower(b)); SELECT (1", "an expression",
            "the unique index i of an expression"
        ),
        ("b TEXT); CREATE INDEX i ON a (b); SELECT (1", "b", "add .indexed"),
    ])
    func `what is not expressed is named`(column: String, name: String, reason: String) throws {
        let adoption = try adoption(
            "CREATE TABLE z (id INTEGER PRIMARY KEY); CREATE TABLE a (id INTEGER PRIMARY KEY, \(column))")
        #expect(adoption.tables.count == 2)
        #expect(adoption.remarks.contains { $0.column == name && $0.reason.contains(reason) }, "\(adoption.remarks)")
    }
}
