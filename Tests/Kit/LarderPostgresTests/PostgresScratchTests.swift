#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Temporary stores, for example of a check of the contract.
@Suite(.postgres)
struct PostgresScratchTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private struct Stop: Error {}

    private func configuration(user: String = "larder") async throws -> PostgresStore.Configuration {
        PostgresStore.Configuration(try await TestServer.shared.value.connection(user: user))
    }

    /// The PostgreSQL schemas with names that start with a text.
    private func schemas(_ start: String) async throws -> [String] {
        let configuration = try await configuration()
        return try await Task.detached {
            let rows = try PostgresConnection(configuration).run(
                "SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname::text, $1::text) ORDER BY 1",
                [.text(start)])
            var names: [String] = []
            while rows.advance() { names.append(rows.text(0)) }
            return names
        }.value
    }

    @Test func `each name is a store that is reopened, copied with its constraints, and discarded`() async throws {
        try await PostgresScratch.with(configuration()) { scratch in
            let store = try await scratch.open(Self.schemas.get(), "law-1-Ä\"'")
            let note = Sample.note("a")
            _ = try await store.commit(ChangeSet(inserts: [note]))
            await store.close()
            try await scratch.copy("law-1-Ä\"'", to: "law-2")
            try await scratch.discard("law-1-Ä\"'")
            let copy = try await scratch.open(Self.schemas.get(), "law-2")
            #expect(try await copy.read(note.id, of: Sample.note) == note)
            let error = await #expect(throws: PersistencyError.self) {
                try await copy.commit(ChangeSet(inserts: [Sample.note("a")]))
            }
            guard case .duplicate(let duplicate)? = error else { Issue.record("\(error as Any)"); return }
            #expect(duplicate.existing == note.id)
            _ = try await copy.commit(ChangeSet(inserts: [Sample.note("b")]))
            await copy.close()
            let again = try await scratch.open(Self.schemas.get(), "law-1-Ä\"'")
            #expect(try await again.read(ReadRequest(Sample.note)).items.isEmpty)
            await again.close()
        }
    }

    @Test func `nothing is left after a body that returns, throws, or is cancelled`() async throws {
        let configuration = try await configuration()
        for end in ["return", "throw", "cancel"] {
            let prefix = Task<String, any Error> {
                var prefix = ""
                do {
                    try await PostgresScratch.with(configuration) { scratch in
                        prefix = scratch.prefix
                        let store = try await scratch.open(Self.schemas.get(), "one")
                        _ = try await scratch.open(Self.schemas.get(), "two")
                        await store.close()
                        #expect(try await schemas(prefix) == [prefix + "_one", prefix + "_two"])
                        if end == "cancel" { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                        if end != "return" { throw Stop() }
                    }
                    #expect(end == "return")
                } catch is Stop {
                    #expect(end != "return")
                }
                return prefix
            }
            let name = try await prefix.value
            #expect(name.hasPrefix("larder_check_"))
            #expect(try await schemas(name).isEmpty)
        }
    }

    @Test func `stores of a killed process are dropped, and those of a running one are not`() async throws {
        try await PostgresScratch.with(configuration()) { running in
            let store = try await running.open(Self.schemas.get(), "used")
            let left = "larder_check_00000000000000aa_left"
            // A schema of another program has a similar name.
            let other = "larder_check_results"
            try await Scratch.run("CREATE SCHEMA \"\(left)\"", "CREATE SCHEMA IF NOT EXISTS \(other)")
            try await PostgresScratch.with(configuration()) { _ in
                let found = [
                    try await schemas(left), try await schemas(running.prefix), try await schemas(other),
                ]
                #expect(found == [[], [running.prefix + "_used"], [other]])
            }
            _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
            await store.close()
            await Scratch.drop(other)
        }
    }

    @Test func `a user needs the right to create schemas, and no other`() async throws {
        try await Scratch.run(
            "DROP DATABASE IF EXISTS checked", "DROP ROLE IF EXISTS \"check-er\"", "CREATE ROLE \"check-er\" LOGIN",
            "CREATE DATABASE checked")
        let connection = try await TestServer.shared.value.connection(user: "check-er", database: "checked")
        let error = await #expect(throws: PersistencyError.self) {
            try await PostgresScratch.with(.init(connection)) { _ in Issue.record("the body runs") }
        }
        guard case .unavailable(let trouble)? = error else { Issue.record("\(error as Any)"); return }
        #expect(trouble.message.contains("GRANT CREATE ON DATABASE checked TO \"check-er\""))
        try await Scratch.run("GRANT CREATE ON DATABASE checked TO \"check-er\"")
        try await PostgresScratch.with(.init(connection)) { scratch in
            let store = try await scratch.open(Self.schemas.get(), "one")
            _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
            await store.close()
            try await scratch.copy("one", to: "two")
        }
        try await Scratch.run("DROP DATABASE checked WITH (FORCE)", "DROP ROLE \"check-er\"")
    }
}
#endif
