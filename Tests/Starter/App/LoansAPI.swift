import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansDomain

/// The routes of the service.
struct LoansAPI: ServiceAPI {
    let identity = Loans.identity
    let service: ResourceService<AuthenticatedMember, LoansScope>

    init(
        _ manager: any PersistencyManager, _ settings: ServerSettings = ServerSettings(),
        ids: any IDGenerator = UUIDv7Generator(), now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        let tokens = AccessTokens(manager: manager, prefix: Loans.identity.tokenPrefix, now: now)
        let authenticator = AccessTokenAuthenticator<AuthenticatedMember>(tokens) { id in
            try await manager.read(EntityID<Member>(id)).map { AuthenticatedMember(member: $0.entity) }
        }
        service = ResourceService(
            manager: manager, authenticator: authenticator, readingIsOpen: settings.reading == .open,
            limits: settings.limits, answers: AnswerKeeper(now: now)
        ) { manager, caller in
            LoansScope(manager: manager, member: caller?.member, ids: ids)
        }
    }

    func addRoutes(to group: RouterGroup<CallerContext<AuthenticatedMember>>, _ parts: ServiceParts) {
        service.add([BookResource.self], to: group)
        group.post("books/{id}/lend", use: lend)
        ChangesRoute(service, parts, isVisible: { $1.key.schema.name == "book" }, isKindVisible: { $1 == "book" }).add(
            to: group)
    }

    /// Lends a book to the caller.
    private func lend(_ request: Request, _ context: CallerContext<AuthenticatedMember>) async throws -> Response {
        let book: EntityID<Book> = try context.id("id")
        return try await service.posting(request, context) { scope, _ in
            guard let member = scope.member else { throw Problem(.forbidden, "Only a member can borrow a book.") }
            let lent = try await LendBook(scope.manager).execute(book, to: member.id)
            return try .json(BookResource.represent([lent], in: scope)[0].json)
        }
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { assets in
            try APIDocument(
                identity, own: Array(Self.ownDocument.utf8), resources: [BookResource.self], assets: assets)
        }
    }

    /// The part of the OpenAPI document that the kit does not derive from the resources.
    private static let ownDocument = """
        {
          "info": {"summary": "The books of a library, and who has borrowed them."},
          "tags": [{"name": "books", "description": "The books of the library."}],
          "paths": {"/v1/books/{id}/lend": {
            "parameters": ["ID", "RequestID"],
            "post": {
              "operationId": "lendBook", "tags": ["books"], "summary": "Borrow a book",
              "description": "Lends the book to the caller if it is available.",
              "parameters": ["IdempotencyKey"],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
              "responses": {"200": {
                "description": "The book is lent to the caller.", "headers": ["Idempotent-Replayed", "X-Request-ID"],
                "content": {"application/json": {"schema": "Book"}}
              }},
              "statuses": [404, 409]
            }
          }}
        }
        """
}

/// The dependencies of a request: the caller's manager and identity.
struct LoansScope: Sendable {
    let manager: any PersistencyManager
    let member: Member?
    let ids: any IDGenerator
}

/// A member who has sent a valid token.
struct AuthenticatedMember: ServiceCaller {
    let member: Member

    var key: String { member.id.description }
    var isOperator: Bool { member.isLibrarian }
}
