import Foundation
import Hummingbird
import LarderData
import LarderDomain
import LarderInfrastructure

/// The JSON of a book.
struct BookView: ResponseCodable {
    var id: String?
    var version: Int64?
    var title: String
    var year: Int

    init(_ stored: Stored<Book>) {
        (id, version) = (stored.id.description, stored.version)
        (title, year) = (stored.title, stored.year)
    }
}

/// The response to an error of the domain or of persistence.
struct ErrorResponses<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as InvalidField {
            throw HTTPError(.badRequest, message: "\(error)")
        } catch let error as PersistencyError {
            let status: HTTPResponse.Status =
                switch error {
                case .notFound: .notFound
                case .invalid, .unsupportedQuery, .dangling: .badRequest
                case .duplicate, .conflict, .refused: .conflict
                default: .serviceUnavailable
                }
            throw HTTPError(status, message: "\(error)")
        }
    }
}

/// Ends the process without a backtrace.
func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(75)
}

let arguments = CommandLine.arguments
let mappers = try MapperSet([BookMapper.self])
let store: SQLiteStore
do {
    let path = arguments.count > 1 ? arguments[1] : "books.sqlite"
    store = try await SQLiteStore.open(.init(.file(path)), schemas: mappers.schemas)
} catch {
    fail(error)
}
// The cache is optional. It needs a store without other writers.
let books = Books(manager: StoreManager(CachedStore(store), mappers: mappers))
let ids = UUIDv7Generator()

let router = Router()
router.add(middleware: ErrorResponses())
router.get("books") { request, _ in
    let year = request.uri.queryParameters["before"].flatMap { Int($0) } ?? .max
    return try await books.published(before: year).map(BookView.init)
}
router.post("books") { request, context in
    let sent = try await request.decode(as: BookView.self, context: context)
    let stored = try await books.create(Book(id: ids.next(), title: sent.title, year: sent.year))
    return EditedResponse(status: .created, response: BookView(stored))
}
router.put("books/:id") { request, context in
    guard let id = context.parameters.get("id").flatMap({ EntityID<Book>($0) }) else { throw HTTPError(.notFound) }
    let sent = try await request.decode(as: BookView.self, context: context)
    guard let version = sent.version else { throw HTTPError(.badRequest, message: "send the version") }
    // Another version in the store is a conflict: no change is lost.
    let saved = try await books.update(Book(id: id, title: sent.title, year: sent.year), expecting: version)
    return BookView(saved.stored)
}

let port = arguments.count > 2 ? Int(arguments[2]) ?? 8080 : 8080
let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))) {
    let address = "http://127.0.0.1:\($0.localAddress?.port ?? port)/books\n"
    // A redirected `print` would be buffered.
    FileHandle.standardOutput.write(Data(address.utf8))
}
do {
    try await application.runService()
} catch {
    await store.close()
    fail(error)
}
await store.close()
