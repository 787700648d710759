import CookbookDomain
import Foundation
import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp

struct RecipeSourceTests {
    /// The items of a file: `position:name`, `position!reason` or `position-type`.
    private func items(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        var source = try RecipeSource(path: folder.file("recipes", text))
        var found: [String] = []
        while let item = try source.next() {
            switch item.content {
            case .recipe(let result): found.append("\(item.position):\(result.draft.name)")
            case .passedOver(let type): found.append("-\(type)")
            case .bad(let error):
                // The reason is shortened here; `reasons` tests it.
                found.append("\(item.position)!\(error.description.prefix { $0 != ":" })")
            }
        }
        return found
    }

    private func recipe(_ name: String) -> String { #"{"@type":"Recipe","name":"\#(name)"}"# }

    @Test func `one object, on one line or on many`() throws {
        #expect(try items(recipe("A")) == ["1:A"])
        #expect(try items("\n\n{\n  \"@type\": \"Recipe\",\n  \"name\": \"A\"\n}\n") == ["item 1:A"])
    }

    @Test func `an array, each element with its number`() throws {
        #expect(try items("[\(recipe("A")), \(recipe("B"))]") == ["item 1:A", "item 2:B"])
        #expect(try items("[\n\(recipe("A")),\n\n\(recipe("B"))\n]\n") == ["item 1:A", "item 2:B"])
        #expect(try items("[]") == [])
    }

    @Test func `a graph, whose other items are skipped`() throws {
        let graph = "{\"@context\": {\"a\": [1, \"]\"]},\n \"@graph\": [{\"@type\": \"WebSite\"},\n\(recipe("A"))]}"
        #expect(try items(graph) == ["-WebSite", "item 1:A"])
        #expect(try items(#"{"@graph": [\#(recipe("A"))]}"#) == ["1:A"])
    }

    @Test func `a graph is one document wherever its lines break`() throws {
        let (a, b, head) = (recipe("A"), recipe("B"), #"{"@context":"https://schema.org","@graph":"#)
        for graph in ["[\n\(a),\n\(b)\n]}", "[\(a),\n\(b)]}", "[\(a)\n,\(b)\n]}", "\n[\n\(a),\(b)]}"] {
            #expect(try items(head + graph) == ["item 1:A", "item 2:B"])
        }
        #expect(try items("{\"@context\":\n{\"a\":\"b\"},\n\"@graph\":[\(a)]}") == ["item 1:A"])
    }

    @Test func `lines, also with a byte order mark, carriage returns and blank lines`() throws {
        #expect(try items("\u{FEFF}\(recipe("A"))\r\n\r\n\(recipe("B"))") == ["1:A", "3:B"])
        #expect(try items("\(recipe("A"))\n[\(recipe("B"))]\n") == ["1:A", "2:B"])
    }

    @Test func `a bad line does not affect the others`() throws {
        let lines = "\(recipe("A"))\n{\"@type\":\"Recipe\",\nnull\n5\n{\"@type\":\"Person\"}\n\(recipe("B"))"
        #expect(
            try items(lines) == [
                "1:A", "2!cannot be read as JSON", "3!is not a JSON object", "4!is not a JSON object",
                "5!is not a Recipe but Person",
                "6:B",
            ])
    }

    @Test func `a line with a duplicate member name, or with U+0000, is not valid JSON`() throws {
        let doubled = #"{"@type":"Recipe","name":"A","name":"B"}"#
        #expect(
            try items([recipe("A"), doubled, recipe("A\\u0000")].joined(separator: "\n")) == [
                "1:A", "2!cannot be read as JSON", "3!cannot be read as JSON",
            ])
    }

    @Test func `the error in refused JSON is reported with its position`() {
        func fault(_ bytes: some Sequence<UInt8>) -> String? {
            do {
                _ = try JSON(schemaOrg: bytes)
                return nil
            } catch {
                return error.description
            }
        }
        let start = "cannot be read as JSON: "
        #expect(fault(#"{"name":"A","name":"B"}"#.utf8) == start + "duplicate name in this object (column 13)")
        #expect(fault(#"{"name":"Caf"#.utf8 + [0xE9] + "\"}".utf8) == start + "this is not UTF-8 (column 13)")
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(fault(deep.utf8) == start + "arrays and objects are nested more than 64 deep (column 65)")
        #expect(fault("{\n\"a\": x}".utf8) == start + "a value is expected (line 2, column 6)")
    }

    @Test func `a bad element does not affect the others`() throws {
        let text = "[\(recipe("A")), {},\n 7, \(recipe("B"))]"
        #expect(
            try items(text) == ["item 1:A", "item 2!has no @type", "item 3!is not a JSON object", "item 4:B"])
    }

    @Test func `a syntax error refuses a document, with its line`() throws {
        let folder = try TemporaryFolder()
        var source = try RecipeSource(path: folder.file("recipes", "\n[\n\(recipe("A")),\n{x}]"))
        guard case .bad(let error)? = try source.next()?.content else { throw NotRefused() }
        #expect(error.description.hasSuffix("(line 4, column 2)"))
        #expect(try source.next()?.position == nil)
    }

    private struct NotRefused: Error {}

    @Test(arguments: ["[{\"a\": 1", "[1 2]", "[1] 2", "[\"a", "{\n\"a", "{\n\"a\": }", "{\n", "[{]"])
    func `a truncated document is one bad item`(text: String) throws {
        let found = try items(text)
        #expect(found.count == 1)
        #expect(found.first?.contains("!cannot be read as JSON") == true)
    }

    @Test(arguments: [" garbage <<", "", "}}", ",}", ", \"x\"}", ", \"x\": nothing}", ", \"@graph\": []}", "} {}"])
    func `a graph in an object of invalid JSON is one bad item`(rest: String) throws {
        let reason = "cannot be read as JSON"
        #expect(try items("{\"x\":1,\n\"@graph\":[\n\(recipe("A"))]\(rest)") == ["1!\(reason)"])
        #expect(try items("{\n\"x\":nothing,\n\"@graph\":[\n\(recipe("A"))]}") == ["1!\(reason)"])
    }

    @Test func `members after a graph are skipped`() throws {
        #expect(try items("{\"@graph\":[\n\(recipe("A"))],\n\"x\":{\"y\":[1,\"]\"]} }\n\n") == ["item 1:A"])
        #expect(try items("{\"@graph\":[\n],\n\"x\":1}") == [])
    }

    @Test func `control characters in texts are read`() throws {
        #expect(try items("{\"@type\":\"Recipe\",\"name\":\"A\tB\"}\n" + recipe("C")) == ["1:A B", "2:C"])
        #expect(try items("{\"@type\":\"Recipe\",\n\"name\":\"A\nB\"}") == ["item 1:A B"])
    }

    @Test func `HTML and UTF-16 are named`() throws {
        let html = "<!DOCTYPE html>\n<script type=\"application/ld+json\">\(recipe("A"))</script>"
        #expect(
            try items(html) == ["1!is HTML or XML, not JSON; save what its script of type application/ld+json contains"]
        )
        let folder = try TemporaryFolder()
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let path = try folder.file("utf16", "")
            try recipe("A").data(using: encoding)?.write(to: URL(filePath: path))
            var source = try RecipeSource(path: path)
            guard case .bad(let error)? = try source.next()?.content else { throw NotRefused() }
            #expect(error.description == "is UTF-16, not UTF-8; convert it first")
            #expect(try source.next()?.position == nil)
        }
    }

    @Test func `an empty input has no items`() throws {
        #expect(try items("") == [])
        #expect(try items(" \n\n") == [])
    }

    @Test func `brackets and quotation marks within strings are text`() throws {
        #expect(
            try items("[\n" + #"{"@type":"Recipe","name":"A ] } \" [ {"}"# + ",\n\(recipe("B"))]") == [
                "item 1:A ] } \" [ {", "item 2:B",
            ])
    }

    @Test func `a missing file is an input error`() {
        #expect(throws: InputError.self) { try RecipeSource(path: "/nowhere/recipes.json") }
    }
}
