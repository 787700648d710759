import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import LoansDomain

@testable import LoansApp

/// The service over a store, with two users: ann, an operator, and bob.
struct TestService {
    let http: HTTPHarness<Routes>
    let ids = CountingIDs()
    let callers: [String: HTTPTranscriptPlayer<Routes>.Caller]

    var manager: any PersistencyManager { http.api.service.manager }

    /// Plays transcripts.
    var player: HTTPTranscriptPlayer<Routes> { HTTPTranscriptPlayer(http, callers: callers) }

    init(_ store: any Store) async throws {
        http = try await HTTPHarness(store, mappers: Entities.mappers) { [ids] manager, clock in
            Routes(manager, ids: ids) { clock.now }
        }
        var callers: [String: HTTPTranscriptPlayer<Routes>.Caller] = [:]
        let manager = http.api.service.manager
        let tokens = AccessTokens(manager: manager, prefix: Program.identity.tokenPrefix) { [http] in http.clock.now }
        for name in ["ann", "bob"] {
            let user = try User(id: ids.next(), name: name, isOperator: name == "ann")
            try await Users(manager).create(user)
            let secret = try await tokens.issue(to: user.id.rawValue, label: "test").secret.text
            callers[name] = .init(id: user.id.description, token: secret)
        }
        self.callers = callers
    }

    /// Runs a test over a service with a new store.
    static func run(_ test: (TestService) async throws -> Void) async throws {
        try await StoreKind.memory.withStore(try MapperSet(Entities.mappers).schemas) { store in
            try await test(TestService(store))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, as caller: String? = nil, ifMatch tag: String? = nil,
        body: String? = nil
    ) async throws -> HTTPReply {
        var headers = HTTPFields()
        headers[.ifMatch] = tag
        return try await http.send(
            method, path, token: caller.flatMap { callers[$0]?.token }, headers: headers, body: body)
    }

    /// The pointers to the invalid fields in a response.
    func pointers(in reply: HTTPReply) -> [String] {
        guard case .array(let errors)? = reply.json["errors"] else { return [] }
        return errors.compactMap { error in
            if case .string(let pointer)? = error["pointer"] { pointer } else { nil }
        }
    }
}

extension Resource {
    /// Whether the resource has all of some operations.
    static func has(_ verbs: ResourceVerb...) -> Bool { self.verbs.isSuperset(of: verbs) }
}

/// The built program, with a database.
struct TestProgram {
    private let process: ProgramProcess
    private let database: String

    init() throws {
        var process = try ProgramProcess(Program.identity.name)
        database = process.folder.path + "/test.sqlite"
        process.environment[Program.identity.variablePrefix + "STORE"] = "sqlite:" + database
        self.process = process
    }

    func run(_ arguments: String...) throws -> CommandResult {
        try process.run(arguments, input: "/dev/null")
    }

    /// Changes the database before a command runs.
    func prepare<Result>(
        _ body: (any PersistencyManager, any IDGenerator) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(Entities.mappers)
        let store = try await SQLiteStore.open(.init(.file(database)), schemas: mappers.schemas)
        let result = try await body(StoreManager(store, mappers: mappers), CountingIDs())
        await store.close()
        return result
    }
}

extension User {
    /// Stores a valid user.
    static func example(in manager: any PersistencyManager, _ ids: any IDGenerator) async throws -> Stored<User> {
        let id = EntityID<User>(ids.next())
        return try await manager.create(User(id: id, name: "user \(id)"))
    }
}
