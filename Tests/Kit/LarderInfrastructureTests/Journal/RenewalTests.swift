import Foundation
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// An older state of a store that is put back without `restore`.
@Suite(.timeLimit(.minutes(5)))
struct RenewalTests {
    private let scratch = Scratch()

    private func open(_ kind: String) async throws -> any Store {
        let schemas = try Sample.schemas()
        return kind == "file"
            ? try await FileStore.open(.init(scratch.folder + "/store"), schemas: schemas)
            : try await SQLiteStore.open(
                .init(.file(scratch.folder + "/store/db"), durability: .normal), schemas: schemas)
    }

    /// Opens an older copy of a store, renewed or not, and commits to it as often as the lost store was committed to.
    ///
    /// - Returns: The last token of the lost store, and the first commit of both.
    private func replaced(_ kind: String, renewing: Bool) async throws -> (any Store, ChangeToken, CommitID) {
        var store = try await open(kind)
        let first = ChangeSet(inserts: [Sample.tag(1, "first")])
        _ = try await store.commit(first)
        await store.close()
        let (folder, copy) = (scratch.folder + "/store", scratch.folder + "/copy")
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        store = try await open(kind)
        let lost = try await store.commit(ChangeSet(inserts: [Sample.tag(2, "lost")])).token
        await store.close()
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: copy, toPath: folder)
        if renewing {
            store = try await open(kind)
            try await #require(store.feature((any RenewableStore).self)).renew()
            await #expect(throws: PersistencyError.self) { try await store.commit(first) }
            await store.close()
        }
        store = try await open(kind)
        _ = try await store.commit(ChangeSet(inserts: [Sample.tag(3, "new")]))
        return (store, lost, first.id)
    }

    @Test(arguments: ["sqlite", "file"]) func `a client of lost commits misses the new ones of an older copy`(
        _ kind: String
    ) async throws {
        let (store, lost, _) = try await replaced(kind, renewing: false)
        let end = try await store.commit(ChangeSet()).token
        // The new commit has the position of the lost one: nothing follows it.
        #expect(lost == end)
        await store.close()
    }

    @Test(arguments: ["sqlite", "file"])
    func `a renewed store sends a client of lost commits a gap, and keeps the rest`(
        _ kind: String
    ) async throws {
        let (store, lost, first) = try await replaced(kind, renewing: true)
        let end = try await store.commit(ChangeSet()).token
        #expect(lost.position == end.position && lost.lifetime != end.lifetime)
        let events = await store.changes(after: lost).prefix(1).reduce(into: [ChangeEvent]()) { $0.append($1) }
        #expect(events == [.gap(end)])
        #expect(try await store.outcome(of: first) == .stored)
        #expect(try await store.read(Sample.id(1), of: Sample.tag)?.version == 1)
        let next = await store.changes(after: ChangeToken(lifetime: end.lifetime, position: 0)).prefix(2)
            .reduce(into: [CommitID?]()) { ids, event in
                if case .commit(let commit) = event { ids.append(commit.id) } else { ids.append(nil) }
            }
        #expect(next.first == first && next.count == 2)
        await store.close()
    }

    @Test func `a store that only reads is not renewed`() async throws {
        await (try open("sqlite")).close()
        let reader = try await SQLiteStore.open(
            .init(.file(scratch.folder + "/store/db"), access: .readOnly), schemas: Sample.schemas())
        let error = await #expect(throws: PersistencyError.self) { try await reader.renew() }
        guard case .unavailable(let trouble)? = error else { Issue.record("\(error as Any)"); return }
        #expect(trouble.reason == .readOnly)
        await reader.close()
    }
}
