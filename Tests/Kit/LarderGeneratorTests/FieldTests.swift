import Testing

@testable import LarderGenerator

struct FieldTests {
    @Test func `a list of fields is parsed and written`() throws {
        let text = """
            title:String pages:Int? price:Double isOpen:Bool published:Day? at:Instant author:ref(Author) \
            next:ref(Book)? tags:many(Tag) chapters:[Chapter(title:String pages:Int?)]
            """
        let fields = try Field.list(text)
        #expect(fields.map(\.description).joined(separator: " ") == text)
        #expect(try Field.list("parts:[Part]") == Field.list("parts:[Part(text:String)]"))
    }

    @Test(arguments: [
        ("", "no fields"), ("title", "'title'"), ("title:Text", "'title:Text'"), ("Title:String", "'Title'"),
        ("class:String", "'class'"), ("id:Int", "'id'"), ("a:Int a:Int", "'a' is repeated"),
        ("a:many(Tag)?", "not optional"),
        ("a:[B]?", "not optional"), ("a:[B(", "unbalanced"), ("a:[B(c:ref(D))]", "'c'"), ("a:ref(b)", "'b'"),
    ])
    func `an invalid field is named`(text: String, part: String) {
        let error = #expect(throws: Refusal.self) { try Field.list(text) }
        #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("Book", "Books", "book", "books", "a book"), ("Box", "Boxes", "box", "boxes", "a box"),
        ("Entry", "Entries", "entry", "entries", "an entry"),
        ("BookDay", "BookDays", "book_day", "book-days", "a book day"),
    ])
    func `an entity has a plural, a table and a collection`(
        type: String, plural: String, table: String, collection: String, one: String
    ) throws {
        let name = try EntityName(type)
        #expect([name.plural, name.snake, name.collection, name.one] == [plural, table, collection, one])
    }
}
