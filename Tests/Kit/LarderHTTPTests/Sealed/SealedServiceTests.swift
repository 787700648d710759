import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import LarderData
import LarderDecorators
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import LarderApp

/// A service over a sealed store writes no value of a sealed column in plain text, and no digest of one.
struct SealedServiceTests {
    private static let canary = "canary"

    @Test(arguments: ["sqlite", "file"])
    func `no file and no log entry of a service has a text of a sealed column`(kind: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-secrets-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let mappers = try MapperSet(SecretsAPI.mappers)
        let settings = try await Self.settings("\(kind):\(folder)/store")
        let store = try await settings.open(mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let log = Mutex("")
        let sink = LogSink { line in log.withLock { $0 += String(decoding: line, as: UTF8.self) } }
        let client = try await Client(SecretsAPI(manager), store, sink)

        // Stored in full, and with a body that is too long for it.
        let bodies = ["a", "b"].map { name in
            let text = String(repeating: Self.canary + " ", count: name == "a" ? 1 : 60_000)
            return #"{"name":"\#(Self.canary) \#(name)","text":"\#(text)"}"#
        }
        for (key, body) in zip(["k1", "k2"], bodies) {
            let first = try await client.send(.post, "/v1/secrets", key: key, body)
            #expect(first.status == .created && first.body.contains(Self.canary))
            let again = try await client.send(.post, "/v1/secrets", key: key, body)
            #expect(again.status == .created && again.headers[.idempotentReplayed] == "true")
            #expect(again.headers[.location] == first.headers[.location])
            #expect(again.body == (key == "k1" ? first.body : ""))
            #expect(again.headers[.eTag] == first.headers[.eTag])
        }
        let path = try #require(try await client.send(.post, "/v1/secrets", key: "k1", bodies[0]).headers[.location])
        let patch = #"{"text":"another \#(Self.canary)"}"#
        #expect(try await client.send(.patch, path, type: "application/merge-patch+json", patch).status == .ok)
        #expect(try await client.send(.post, "/v1/secrets", key: "k3", bodies[0]).status == .conflict)
        let wrong = #"{"name":"\#(Self.canary)","text":["\#(Self.canary)"]}"#
        #expect(try await client.send(.post, "/v1/secrets", key: "k4", wrong).status == .unprocessableContent)
        #expect(try await client.send(.get, "/v1/secrets").body.contains(Self.canary))
        let backup = try await client.send(.get, "/v1/backup")
        #expect(backup.status == .ok && !backup.body.contains(Self.canary) && backup.body.count > 1000)
        _ = try await Backup.write(store, to: "\(folder)/by-the-store.backup", replacing: false)
        try examine(folder)
        await store.close()
        try examine(folder)
        for other in ["sqlite", "file"] {
            let transfer = try StoreTransfer(
                from: settings, to: try await Self.settings("\(other):\(folder)/\(other)"), mappers.schemas)
            _ = try await transfer.fill()
            try examine(folder)
            #expect(try await transfer.run().contains { $0.entity == "secret" && $0.count > 0 })
            try examine(folder)
        }
        #expect(!log.withLock(\.self).contains(Self.canary) && log.withLock(\.self).contains("/v1/secrets"))
    }

    /// Law 18: a program without the sealed column wrote the rows.
    @Test func `a store with stored responses needs no migration for its first sealed column`() async throws {
        try await withDatabase { path in
            let clock = StoppedClock()
            let keeper = ResponseKeeper(now: clock.read)
            func answer(_ manager: any PersistencyManager, _ key: String) async throws -> Bool {
                try await keeper.response(
                    scope: ResponseScope(caller: "ann", method: "POST", route: "/"), key: key,
                    requestDigest: [UInt8](repeating: 0, count: 32), manager: manager
                ) { _ in try ResponseContent(status: 201, body: Array(Self.canary.utf8)) }.isReplay
            }
            let plain = try await Service(path: path, clock: clock)
            #expect(try await !answer(plain.manager, "plain"))
            await plain.store.close()
            let mappers = try MapperSet([
                PersonMapper.self, PersonTokenMapper.self, StoredResponseMapper.self, SecretMapper.self,
            ])
            let store = try await SealedStore.open(mappers.schemas, keys: try Self.keys) { schemas in
                try await SQLiteStore.open(.init(.file(path)), schemas: schemas)
            }
            let manager = StoreManager(store, mappers: mappers)
            #expect(try await !answer(manager, "sealed"))
            #expect(try await answer(manager, "sealed"))
            // The plain response cannot be read, but it is counted, and deleted after its time.
            await #expect(throws: PersistencyError.self) { try await answer(manager, "plain") }
            clock.advance(seconds: 86_400)
            #expect(try await keeper.purge(manager) == 2)
            await store.close()
        }
    }

    private static func settings(_ location: String) async throws -> StoreSettings {
        let keys = [("k1", "1"), ("equality", "2")].map { "\($0) \(String(repeating: $1, count: 64))" }
        let environment = UserEnvironment([Setting.sealingKeys.variable: keys.joined(separator: "\n")])
        let flags = [Setting.store.name: location]
        return try StoreSettings(try await SettingSources(flags: flags, environment: environment))
    }

    private static var keys: SealingKeys {
        get throws {
            try SealingKeys(
                current: .init("k1", AESCipher(key: [UInt8](repeating: 1, count: 32))),
                equality: .init("equality", AESCipher(key: [UInt8](repeating: 2, count: 32))))
        }
    }

    private func examine(_ folder: String) throws {
        var found = (canaries: [String](), ids: 0)
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            if bytes.firstRange(of: Data(Self.canary.utf8)) != nil { found.canaries.append(name) }
            if bytes.firstRange(of: Data("/v1/secrets/".utf8)) != nil { found.ids += 1 }
        }
        #expect(found.canaries.isEmpty)
        // The search finds plain values: the paths in stored responses.
        #expect(found.ids > 0)
    }
}

/// Sends requests with a token to the router of a service.
private struct Client {
    struct Reply {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: String
    }

    private let responder: RouterResponder<CallerContext<Keeper>>
    private let logger: Logger

    init(_ api: SecretsAPI, _ store: any Store, _ sink: LogSink) async throws {
        let metrics = PrometheusMetrics()
        responder = try api.router(
            feed: await ChangeFeed(of: store), readiness: Readiness { .writable }, metrics: metrics, store: store,
            outermost: [RequestLogMiddleware(metrics: metrics)], watchesClients: false
        ).buildResponder()
        logger = Logger(label: "secrets") { JSONLogHandler(label: $0, level: .trace, sink: sink) }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, key: String? = nil, type: String = "application/json",
        _ body: String? = nil
    ) async throws -> Reply {
        var fields: HTTPFields = [.authorization: "Bearer x", .contentType: type]
        if let key { fields[.idempotencyKey] = key }
        if method == .patch { fields[.ifMatch] = "*" }
        let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields)
        let response = try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? ""))),
            context: CallerContext(source: .init(channel: EmbeddedChannel(), logger: logger)))
        let collected = Collected()
        try await response.body.write(CollectingWriter(collected: collected))
        return Reply(status: response.status, headers: response.headers, body: collected.text)
    }
}
