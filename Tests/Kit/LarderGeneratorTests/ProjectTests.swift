import Foundation
import Testing

@testable import LarderGenerator

struct ProjectTests {
    private let scratch: Scratch
    private let folder: URL

    init() throws {
        scratch = try Scratch()
        folder = try scratch.service("my-app")
    }

    private func add(_ name: String, _ fields: String, _ more: String...) throws -> String {
        try Project(at: folder).add(Arguments(["NAME=\(name)", "FIELDS=\(fields)"] + more))
    }

    private func remove(_ name: String) throws -> String { try Project(at: folder).remove(Arguments(["NAME=\(name)"])) }

    @Test func `an entity is in all layers and lists, and its removal restores each byte`() throws {
        let before = try Scratch.texts(below: folder)
        #expect(try add("Author", "name:String").contains("create Domain/Author.swift"))
        _ = try add("Book", "title:String author:ref(Author) chapters:[Chapter]")
        let after = try Scratch.texts(below: folder)
        for path in [
            "Domain/Chapter.swift", "Data/BookMapper.swift", "App/BooksCommand.swift", "Tests/BookTests.swift",
        ] {
            #expect(after[path] != nil, "\(path)")
        }
        for line in ["BookMapper.self,", "BookResource.self,", "BooksCommand.self,", "BookPolicy(caller),"] {
            #expect(after["App/Entities.swift"]?.contains(line) ?? false, "\(line)")
        }
        #expect(throws: Refusal("Book refers to Author: remove that first")) { try remove("Author") }
        _ = try remove("Book")
        _ = try remove("Author")
        #expect(try Scratch.texts(below: folder) == before)
    }

    @Test func `a dry run lists the changes and makes none`() throws {
        let before = try Scratch.texts(below: folder)
        #expect(try add("Book", "title:String", "DRY=1").contains("create Data/BookMapper.swift\n"))
        #expect(try Scratch.texts(below: folder) == before)
    }

    @Test func `the same entity again changes nothing, and other fields are refused`() throws {
        _ = try add("Book", "title:String")
        let texts = try Scratch.texts(below: folder)
        #expect(try add("Book", "title:String").contains("Nothing changed"))
        #expect(throws: Refusal.self) { try add("Book", "title:String pages:Int") }
        #expect(try Scratch.texts(below: folder) == texts)
    }

    @Test func `an entity is private, and PUBLIC=1 opens it`() throws {
        let read = "public func mayRead(_ member: Member) -> Bool { "
        _ = try add("Member", "email:String")
        var texts = try Scratch.texts(below: folder)
        let policy = try #require(texts["Domain/MemberPolicy.swift"])
        #expect(policy.contains(read + "caller != nil }") && policy.contains("{ caller == nil ? [Self.nothing] : [] }"))
        #expect(!policy.contains("mayFollow"))
        #expect(texts["App/MemberResource.swift"]?.contains("static let isPrivate = true") ?? false)
        #expect(throws: Refusal.self) { try add("Member", "email:String", "PUBLIC=1") }
        #expect(throws: Refusal("invalid PUBLIC 'no': write PUBLIC=1, or omit it")) {
            try add("Note", "text:String", "PUBLIC=no")
        }
        _ = try remove("Member")

        let before = try Scratch.texts(below: folder)
        _ = try add("Member", "email:String", "PUBLIC=1")
        texts = try Scratch.texts(below: folder)
        #expect(texts["Domain/MemberPolicy.swift"]?.contains(read + "true }") ?? false)
        #expect(texts["App/MemberResource.swift"]?.contains("static let isPrivate = false") ?? false)
        #expect(try add("Member", "email:String", "PUBLIC=1").contains("Nothing changed"))
        _ = try remove("Member")
        #expect(try Scratch.texts(below: folder) == before)
    }

    @Test func `a removal changes the date of the manifest, so that the build is planned again`() throws {
        let manifest = folder.appending(path: "Package.swift").path
        _ = try add("Book", "title:String")
        let old = Date(timeIntervalSince1970: 0)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: manifest)
        _ = try remove("Book")
        let date = try FileManager.default.attributesOfItem(atPath: manifest)[.modificationDate] as? Date
        #expect(try #require(date) > old)
    }

    @Test func `an edited entity is not removed, and its edited files are listed`() throws {
        _ = try add("Book", "title:String")
        try "edited".write(below: folder, "Domain/Book.swift")
        let texts = try Scratch.texts(below: folder)
        let error = #expect(throws: Refusal.self) { try remove("Book") }
        #expect(error?.message.hasSuffix("\n  Domain/Book.swift") ?? false, "\(error?.message ?? "")")
        #expect(try Scratch.texts(below: folder) == texts)
    }

    @Test(arguments: [
        ("User", "name:String", "Domain/User.swift declares it"), ("Query", "name:String", "the kit declares it"),
        ("String", "name:String", "the name String exists"), ("Book", "author:ref(Author)", "add Author first"),
        ("Book", "next:ref(Book)", "must be optional"), ("Book", "parts:[Book]", "the name of its owner"),
        ("book", "name:String", "'book'"), ("Bike", "name:String", "Domain/Bike.swift declares it"),
    ])
    func `an entity that cannot work is refused, and nothing is written`(
        name: String, fields: String, part: String
    ) throws {
        let before = try Scratch.texts(below: folder)
        let error = #expect(throws: Refusal.self) { try add(name, fields) }
        #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
        #expect(try Scratch.texts(below: folder) == before)
    }
}
