import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansData
import LoansDomain

/// Books over HTTP. No verb sets the borrower: only the use case lends a book.
enum BookResource: Resource {
    static let name = "books"
    static let verbs: Set<ResourceVerb> = [.list, .create, .read, .delete]
    static let members: [ResourceMember] = [
        .id, .init("title", .text(200), .required), .init("borrower", .id, .optionalReadOnly, "The borrower."),
    ]
    static let fingerprint = SchemaFingerprint(BookMapper.mapping.schema, members: members)
    static let isPrivate = false

    private struct Books: EntityRepository {
        typealias Model = Book
        let manager: any PersistencyManager
    }

    static func repository(in scope: LoansScope) -> any EntityRepository<Book> { Books(manager: scope.manager) }

    static func filter(from parameters: inout QueryParameters) throws -> Query<Book> { Query(sort: [Sort(\.title)]) }

    static func represent(_ items: [Stored<Book>], in scope: LoansScope) -> [Representation] {
        items.map { book in
            Representation(
                json: .object([
                    .init("id", .string(book.id.description)), .init("title", .string(book.title)),
                    .init("borrower", book.borrower.map { .string($0.description) } ?? .null),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Book?, in scope: LoansScope
    ) throws(InvalidFields) -> Book {
        let title = fields.requiredString("title")
        let book = title.flatMap { title in
            fields.made { () throws(InvalidField) in
                try Book(id: old?.id ?? scope.ids.next(), title: title, borrower: old?.borrower)
            }
        }
        return try fields.check(book)
    }
}
