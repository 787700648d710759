import Foundation
import Testing

@testable import LarderGenerator

/// `make adopt` in a service.
struct AdoptTests {
    private let scratch: Scratch
    private let folder: URL

    init() throws {
        scratch = try Scratch()
        folder = try scratch.service("my-app")
    }

    private func adopt(_ arguments: String...) throws -> String {
        try Project(at: folder).adopt(Arguments(arguments))
    }

    @Test func `the entities, the list of origins and the page are written, and a repetition changes nothing`() throws {
        let path = try scratch.folder.appending(path: Sources.create(Sources.text("shop"), in: scratch)).path
        let source = try Data(contentsOf: URL(filePath: path))
        let before = try Scratch.texts(below: folder)
        #expect(try adopt("FROM=sqlite:\(path)", "DRY=1").contains("create App/Adoption.swift"))
        #expect(try Scratch.texts(below: folder) == before)
        #expect(try adopt("FROM=sqlite:\(path)").contains("Adopted 8 of 8 tables (100 %), 1 of them as links."))
        let texts = try Scratch.texts(below: folder)
        for (path, line) in [
            ("App/Entities.swift", "        AdoptCommand.self,\n"),
            ("App/Adoption.swift", "OrderLineMapper.self, from: \"order_lines\", key: [\"order_id\", \"line_no\"],"),
            ("App/Adoption.swift", "\"parent_id\": .reference(\"categories\", [\"parent_id\"]),"),
            ("App/Adoption.swift", "later: [\"parent_id\"]),"),
            (
                "App/Adoption.swift",
                "\"product_categories\", owner: [\"product_sku\"], targets: [\"category_id\"], of: \"categories\"),"
            ),
            ("Data/OrderLineMapper.swift", "unique: [[\"order_id\", \"line_no\"]])"),
            ("Data/AddressMapper.swift", #".reference("customer_id", \.customer, onDelete: .cascade),"#),
            ("Domain/Product.swift", "self.name = name\n"),
            ("App/ProductResource.swift", "Data(base64Encoded: $0).map { [UInt8]($0) }"),
            ("docs/adoption.md", "| product_categories | links | a list of products |"),
            ("docs/adoption.md", "| products |  | CHECK (price >= 0) |"),
        ] {
            #expect(texts[path]?.contains(line) ?? false, "\(path) lacks \(line)")
        }
        _ = try adopt("FROM=sqlite:\(path)")
        #expect(try Scratch.texts(below: folder) == texts)
        #expect(try Data(contentsOf: URL(filePath: path)) == source)
    }

    @Test func `an adopted entity is removed like any other`() throws {
        let path = try Sources.create("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)", in: scratch)
        _ = try adopt("FROM=sqlite:\(scratch.folder.appending(path: path).path)")
        _ = try Project(at: folder).remove(Arguments(["NAME=Note"]))
        #expect(try Scratch.texts(below: folder)["Domain/Note.swift"] == nil)
    }

    @Test func `an invalid location is refused, and a password is not passed on`() throws {
        let path = try scratch.folder.appending(path: Sources.create("CREATE TABLE a (x TEXT)", in: scratch)).path
        try "no database".write(below: scratch.folder, "text.db")
        for (argument, part) in [
            ("FROM=sqlite:/nowhere.db", "no file"), ("FROM=mysql:x", "invalid FROM"), ("DRY=1", "FROM is missing"),
            ("FROM=postgres://ann:secret@localhost/x", "PGPASSWORD"),
            ("FROM=sqlite:\(path)", "no table can be adopted"),
            ("FROM=sqlite:\(scratch.folder.path)/text.db", "cannot read the schema"),
        ] {
            let error = #expect(throws: Refusal.self) { try adopt(argument) }
            #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
            #expect(error?.message.contains("secret") == false)
        }
        #expect(throws: Refusal("no table 'b' in the database")) { try adopt("FROM=sqlite:\(path)", "TABLES=b") }
    }
}
