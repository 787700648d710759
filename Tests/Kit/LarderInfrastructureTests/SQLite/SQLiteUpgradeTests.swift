import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Opening for reading, when an earlier version of the program wrote the database, or when it does not exist.
@Suite(.serialized) struct SQLiteUpgradeTests {
    let scratch = Scratch()
    private let access = SQLiteStore.Access.readOnlyAfterUpgrade

    private func more() throws -> SchemaSet {
        try SchemaSet(Sample.schemas().roots + [EntitySchema(name: "more", columns: [])])
    }

    @Test func `missing tables are created and added, and without additions no lock is needed`() async throws {
        let first = try await scratch.open(access: access)
        #expect(try await first.read(ReadRequest(Sample.tag)).items.isEmpty)
        let error = await failure { () async throws(PersistencyError) in try await first.insert(Sample.tag(1, "a")) }
        #expect(error?.summary == "unavailable readOnly")
        await first.close()
        let second = try await scratch.open(access: access, schemas: more())
        #expect(try await second.read(ReadRequest(more().roots[4])).items.isEmpty)
        await second.close()

        let writer = try await scratch.open(.full, schemas: more())
        try await writer.insert(Sample.tag(1, "a"))
        for _ in 0..<20 {
            let reader = try await scratch.open(access: access, busyTimeout: .zero, schemas: more())
            #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 1)
            await reader.close()
        }
        await writer.close()
    }

    @Test func `an addition that cannot be applied now is named, with the reason`() async throws {
        let writer = try await scratch.open(.full)
        let more = try more()
        let error = await failure { () async throws(PersistencyError) in
            let configuration = SQLiteStore.Configuration(.file(scratch.path), access: access, busyTimeout: .zero)
            _ = try await SQLiteStore.open(configuration, schemas: more)
        }
        #expect(error?.summary == "incompatible")
        #expect(error?.description.contains("must be migrated first, which is impossible now (add more)") == true)
        #expect(error?.description.contains("pid \(getpid()) ") == true)
        await writer.close()
    }

    @Test func `a schema that differs in more than additions is refused as by a writer`() async throws {
        let must = EntitySchema(name: "more", columns: [Column(name: "must", type: .integer)])
        try await scratch.open(schemas: more()).close()
        let other = try SchemaSet(Sample.schemas().roots + [must])
        let error = await failure { () async throws(PersistencyError) in
            let configuration = SQLiteStore.Configuration(.file(scratch.path), access: access)
            _ = try await SQLiteStore.open(configuration, schemas: other)
        }
        #expect(error?.summary == "incompatible")
        #expect(error?.description.contains("impossible now") == false)
    }
}
