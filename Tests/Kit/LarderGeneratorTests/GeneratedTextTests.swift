import Testing

@testable import LarderGenerator

/// The texts of the files for decimals, value objects and examples.
struct GeneratedTextTests {
    /// The files of an entity.
    private struct Files {
        let texts: [String: String]

        init(_ name: String, _ fields: String) throws {
            let entity = try Entity(EntityName(name), Field.list(fields, of: name))
            texts = Dictionary(uniqueKeysWithValues: entity.files("My").map { ($0.path, $0.text) })
        }

        func expect(_ path: String, _ parts: String...) {
            for part in parts { #expect(texts[path]?.contains(part) ?? false, "\(path) lacks \(part)") }
        }
    }

    @Test func `a decimal is in all layers`() throws {
        let files = try Files("Tool", "price:Decimal(2) fee:Decimal(0)?,unique tax:Decimal(1)=0")
        files.expect(
            "Domain/Tool.swift", "price: ExactDecimal, fee: ExactDecimal? = nil, tax: ExactDecimal = 0",
            "self.price = try check.decimal(price, \"price\", scale: 2, atLeast: 0)\n",
            "/// At least 0, with 1 digit after the point; 0 by default.")
        files.expect(
            "Data/ToolMapper.swift", #".decimal("price", \.price, scale: 2),"#,
            #".decimal("fee", \.fee, scale: 0).unique,"#,
            "price: row.decimal(), fee: row.decimal(), tax: row.decimal())")
        files.expect(
            "App/ToolResource.swift", ##".init("price", .string(pattern: #"^[0-9]+(\.[0-9]{1,2})?$"#), .required),"##,
            ##".init("fee", .string(pattern: #"^[0-9]+$"#), .optional),"##,
            #"fields.requiredParsed("price", "must be a decimal, such as 12.50") { ExactDecimal($0) }"#,
            #"fields.parsed("tax", "must be a decimal, such as 12.5") { ExactDecimal($0) } ?? 0"#,
            #".init("price", .string(tool.price.description)),"#,
            #".init("fee", tool.fee.map { .string($0.description) } ?? .null),"#)
        files.expect("App/ToolsCommand.swift", "var price: ExactDecimal\n", "var tax: ExactDecimal = 0\n")
        files.expect(
            "Tests/ToolTests.swift", #"price: try #require(ExactDecimal("2.05"))"#,
            #"fee: ExactDecimal("\(4 + 1_000 * number)")"#)
        // Counts need columns of other types.
        #expect(files.texts["Tests/ToolTests.swift"]?.contains("stranger.counts") == false)
    }

    @Test func `a value object is in all layers, and options set the parts of a required one`() throws {
        let files = try Files(
            "Tool", "address:Address(street:String kind:enum(a,b) isOpen:Bool) origin:Origin(day:Day)?")
        files.expect(
            "Domain/Address.swift", "/// An address, which a tool has.\npublic struct Address: Hashable, Sendable {\n",
            "public init(street: String, kind: AddressKind, isOpen: Bool, limits: TextLimits",
            "let check = FieldCheck(valueObject: Address.self, limits)\n        self.street",
            "public enum AddressKind: String, CaseIterable, Codable, Sendable {")
        files.expect("Domain/Tool.swift", "address: Address, origin: Origin? = nil")
        files.expect(
            "Data/AddressMapper.swift", "extension AddressKind: ColumnValue {}",
            "public enum AddressMapper: ValueMapper {",
            "ValueMapping<Address>([\n        .column(\"street\", \\.street),",
            "try Address(street: row.next(), kind: row.next(), isOpen: row.next(), limits: .stored)")
        files.expect("Data/OriginMapper.swift", #"ValueMapping<Origin>([.column("day", \.day)])"#)
        files.expect(
            "Data/ToolMapper.swift", #".value("address", \.address, AddressMapper.self),"#,
            "address: row.value(AddressMapper.self), origin: row.valueIfPresent(OriginMapper.self)")
        files.expect(
            "App/ToolResource.swift", #".init("address", .object("Address", addressMembers), .required),"#,
            #".init("origin", .object("Origin", originMembers), .optional),"#,
            #"fields.requiredObject("address", Self.address(from:))"#, #"fields.object("origin", Self.origin(from:))"#,
            #".init("address", json(tool.address)),"#, #".init("origin", tool.origin.map(json) ?? .null),"#,
            "private static func address(from fields: inout JSONFields) -> Address? {")
        files.expect(
            "App/ToolsCommand.swift", "Without origin, which only HTTP sets.",
            #"@Option(help: "1 to 200 characters, not blank.") var addressStreet: String"#,
            #"@Flag(help: "Whether it is open.") var addressIsOpen = false"#,
            "try Address(street: addressStreet, kind: addressKind, isOpen: addressIsOpen)",
            "extension AddressKind: ExpressibleByArgument {}")
        files.expect(
            "Tests/ToolTests.swift",
            #""--address-street", "address street", "--address-kind", "b", "--address-is-open""#)
    }

    @Test func `the values of an example differ, so that the test of the mapper finds exchanges`() throws {
        let files = try Files(
            "Book",
            """
            title:String pages:Int parts:Int=6 day:Day end:Day? next:ref(Book)? all:many(Book) \
            chapters:[Chapter(title:String size:Int)] place:Site(title:String size:Int height:Decimal(1))?
            """)
        files.expect(
            "Tests/BookTests.swift", "import MyData",
            #"title: "title \(number)", pages: 4, parts: 7, day: try #require(CalendarDay("2008-03-01"))"#,
            #"end: CalendarDay("2010-03-01")"#, #"Chapter(id: ids.next(), title: "chapters: title", size: 20)"#,
            #"Site(title: "place: title", size: 26, height: try #require(ExactDecimal("28.5")))"#,
            "next: EntityID<Book>? = nil,\n        all: [EntityID<Book>] = []",
            "let nextExample = try await Book.example(in: service.manager, service.ids)",
            "next: nextExample.id, all: [allExample.id])",
            "#expect(try BookMapper.unkeptMembers(of: example.entity) == [])")
    }
}
