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

    @Test func `several entities are added in one call, which writes all or none`() throws {
        let before = try Scratch.texts(below: folder)
        func add(_ entities: String, _ more: String...) throws -> String {
            try Project(at: folder).add(Arguments(["ENTITIES=\(entities)"] + more))
        }
        for (entities, part) in [
            ("A(x:String) B(y:ref(C))", "add C first"), ("A(x:String) A(y:String)", "A exists"),
            ("A(x:String) AMapper(y:String)", "this command declares it"), ("A(x:String) B", "invalid entity 'B'"),
        ] {
            let error = #expect(throws: Refusal.self) { try add(entities) }
            #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
        }
        #expect(throws: Refusal("write either ENTITIES or NAME")) { try add("A(x:String)", "NAME=B") }
        #expect(try Scratch.texts(below: folder) == before)

        _ = try add("Author(name:String) Book(title:String author:ref(Author))", "PUBLIC=1", "VERBS=read list")
        #expect(try add("Author(name:String)", "PUBLIC=1", "VERBS=list read").contains("Nothing changed"))
        let after = try Scratch.texts(below: folder)
        for name in ["Author", "Book"] {
            #expect(after["App/\(name)Resource.swift"]?.contains("verbs: Set<ResourceVerb> = [.list, .read]") ?? false)
        }
        #expect(throws: Refusal.self) { try add("Author(name:String)", "PUBLIC=1", "VERBS=list") }
        #expect(throws: Refusal.self) { try add("Note(text:String)", "VERBS=put") }
        _ = try remove("Book")
        _ = try remove("Author")
        #expect(try Scratch.texts(below: folder) == before)
    }

    @Test func `the modifiers of a field are in all layers`() throws {
        _ = try add(
            "Book", "isbn:String,unique state:enum(good,worn)=good lentAt:Instant?,readonly loans:Int=0,readonly")
        let texts = try Scratch.texts(below: folder)
        for (path, line) in [
            ("Domain/Book.swift", "public enum BookState: String, CaseIterable, Codable, Sendable {"),
            ("Domain/Book.swift", "isbn: String, state: BookState = .good, lentAt: Timestamp? = nil"),
            ("Data/BookMapper.swift", #".column("isbn", \.isbn).unique"#),
            ("Data/BookMapper.swift", "extension BookState: ColumnValue {}"),
            ("App/BookResource.swift", #".init("state", .oneOf(BookState.allCases.map(\.rawValue)), .defaulted)"#),
            ("App/BookResource.swift", #".init("lentAt", .instant, .optionalReadOnly)"#),
            ("App/BookResource.swift", "lentAt: old?.lentAt, loans: old?.loans ?? 0"),
            ("App/BooksCommand.swift", "var state: BookState = .good"),
            ("Tests/BookTests.swift", "no two books have the same isbn"),
        ] {
            #expect(texts[path]?.contains(line) ?? false, "\(path) lacks \(line)")
        }
        #expect(!(texts["App/BooksCommand.swift"]?.contains("lentAt") ?? true))
        #expect(throws: Refusal("the name ShelfState exists: this command declares it")) {
            try add("Shelf", "state:enum(a) parts:[ShelfState]")
        }
    }

    @Test func `a test of a command stores only entities to which its options refer`() throws {
        _ = try add("Berth", "name:String")
        _ = try add("Ship", "name:String berth:ref(Berth)?,readonly")
        #expect(try !Scratch.texts(below: folder)["Tests/ShipTests.swift", default: "berthID"].contains("berthID"))
    }

    @Test func `the example is removed as if it had never been there, unless it was edited or is used`() throws {
        let other = try Arguments(["NAME=my-app", "AT=plain", "SAMPLE=none", "KIT=path"])
        _ = try NewService(other, in: scratch.folder).create()
        let plain = try Scratch.texts(below: scratch.folder.appending(path: "plain"))
        _ = try add("Ride", "bike:ref(User)?")
        let used = #expect(throws: Refusal.self) { try remove("Bike") }
        #expect(used?.message.contains("Domain/Ride.swift") ?? false, "\(used?.message ?? "")")
        _ = try remove("Ride")
        let resource = try String(contentsOf: folder.appending(path: "App/BikeResource.swift"), encoding: .utf8)
        try "edited".write(below: folder, "App/BikeResource.swift")
        #expect(throws: Refusal("edited or missing, so nothing was removed:\n  App/BikeResource.swift")) {
            try remove("Bike")
        }
        try resource.write(below: folder, "App/BikeResource.swift")
        _ = try add("Book", "title:String")
        #expect(try remove("Bike").contains(#"dropped: ["bike"]"#))
        _ = try remove("Book")
        let texts = try Scratch.texts(below: folder)
        #expect(Set(texts.keys) == Set(plain.keys))
        for (path, text) in texts { #expect(text == plain[path], "\(path)") }
        #expect(throws: Refusal.self) { try remove("Bike") }
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
        ("Book", "place:Book(a:Int)", "a value object cannot have the name of its owner"),
        ("Book", "place:User(a:Int)", "Domain/User.swift declares it"),
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
