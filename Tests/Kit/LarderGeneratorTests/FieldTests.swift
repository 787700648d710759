import Testing

@testable import LarderGenerator

struct FieldTests {
    @Test func `a list of fields is parsed and written`() throws {
        let text = """
            title:String pages:Int? price:Double isOpen:Bool published:Day? at:Instant author:ref(Author) \
            next:ref(Book)? tags:many(Tag) chapters:[Chapter(title:String pages:Int? mood:enum(a,b)=a)] \
            isbn:String,unique state:enum(good,worn)=good mood:enum(a,b)? language:String=en size:Int=3 \
            cost:Decimal(2) fee:Decimal(0)?,unique tax:Decimal(9)=0 address:Address(street:String at:Instant?) \
            origin:Place(kind:enum(a,b) height:Decimal(1)? isOpen:Bool from:Day)? weight:Double=0.5 isLent:Bool=false lentAt:Instant?,readonly loans:Int=0,readonly owner:ref(User),unique shelf:Int?,unique,readonly
            """
        let fields = try Field.list(text, of: "Book")
        #expect(fields.map(\.description).joined(separator: " ") == text)
        #expect(fields.compactMap(\.choice?.type) == ["BookState", "BookMood"])
        #expect(fields.flatMap(\.parts).compactMap(\.choice?.type) == ["PlaceKind"])
        let required = ["title", "price", "isOpen", "at", "author", "isbn", "cost", "address", "owner"]
        #expect(fields.filter(\.isRequired).map(\.name) == required)
        #expect(try Field.list("parts:[Part]", of: "Book") == Field.list("parts:[Part(text:String)]", of: "Book"))
        #expect(try Field.list("a:enum(b, c)", of: "Book") == Field.list("a:enum(b,c)", of: "Book"))
    }

    @Test(arguments: [
        ("", "no fields"), ("title", "'title'"), ("title:Text", "'title:Text'"), ("Title:String", "'Title'"),
        ("class:String", "'class'"), ("id:Int", "'id'"),
        ("version:Int", "of the generated code"), ("bookID:String,unique", "write bookKey"),
        ("a:ref(Case)", "'case' is a keyword"), ("a:Int a:Int", "'a' is repeated"),
        ("a:many(Tag)?", "not optional"),
        ("a:[B]?", "not optional"), ("a:[B(", "unbalanced"), ("a:[B(c:ref(D))]", "'c:ref(D)'"), ("a:ref(b)", "'b'"),
        ("a:enum()", "needs cases"), ("a:enum(b,b)", "each once"), ("a:enum(default)", "'default'"),
        ("a:enum(B)", "'B'"),
        ("a:Int?=1", "no default"), ("a:Int=x", "no such default"), ("a:Int=-1", "no such default"),
        ("a:Int=01", "no such default"), ("a:Bool=yes", "no such default"), ("a:enum(b)=c", "no such default"),
        ("a:Day=2026-01-01", "no such default"), ("a:String=\"", "no such default"), ("a:many(B)=c", "no such default"),
        ("a:Bool,unique", "can be unique"), ("a:many(B),unique", "can be unique"), ("a:Int=1,unique", "no default"),
        ("a:Int,readonly", "must be optional"), ("a:[B],readonly", "cannot be read-only"),
        ("a:Int,uniqe", "'a:Int,uniqe'"),
        ("a:[B(c:Int,unique)]", "'c:Int,unique'"), ("a:", "write name:Type"),
        ("a:Decimal", "0 to 9 digits"), ("a:Decimal(10)", "0 to 9 digits"), ("a:Decimal(-1)", "0 to 9 digits"),
        ("a:Decimal(02)", "0 to 9 digits"), ("a:Decimal()", "0 to 9 digits"), ("a:Decimal(2)=0.5", "no such default"),
        ("a:B()", "use Bool, Day"), ("a:B", "Decimal(2), enum"), ("a:b(c:Int)", "use Bool, Day"),
        ("a:B(c:Int)=1", "no such default"), ("a:B(c:Int),unique", "can be unique"),
        ("a:B(c:Int),readonly", "must be optional"), ("a:B(c:Int c:Int)", "'c' is repeated"),
        ("a:B(c:Int=1)", "not 'c:Int=1'"), ("a:B(c:ref(D))", "not 'c:ref(D)'"), ("a:B(c:many(D))", "not 'c:many(D)'"),
        ("a:B(c:[D])", "not 'c:[D(text:String)]'"), ("a:B(c:D(e:Int))", "not 'c:D(e:Int)'"),
        ("a:B(c:Int,unique)", "not 'c:Int,unique'"), ("a:B(c:Int?,readonly)", "not 'c:Int?,readonly'"),
        ("a:[B(c:D(e:Int))]", "not 'c:D(e:Int)'"), ("a:B(c:Int) aC:Int", "'a_c' of the field 'aC' is repeated"),
        ("aB:C(d:Int) a:E(bD:Int)?", "'a_b_d' of the field 'a'"), ("a:ref(B) aId:Int", "'a_id'"),
    ])
    func `an invalid field is named`(text: String, part: String) {
        let error = #expect(throws: Refusal.self) { try Field.list(text, of: "Book") }
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
