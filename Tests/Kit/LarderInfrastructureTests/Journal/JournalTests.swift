import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

@Suite(.timeLimit(.minutes(5)))
struct JournalTests {
    private let scratch = Scratch()

    /// Opens the store of a kind in the scratch folder again.
    private func open(
        _ kind: String, journal: JournalBounds? = JournalBounds(), schemas: SchemaSet? = nil
    ) async throws -> any Store {
        let schemas = try schemas ?? Sample.schemas()
        if kind == "file" {
            return try await FileStore.open(
                .init(scratch.folder + "/log", journal: journal, migration: MigrationOptions(mode: .all)),
                schemas: schemas)
        }
        return try await SQLiteStore.open(
            .init(.file(scratch.path), durability: .normal, journal: journal, migration: MigrationOptions(mode: .all)),
            schemas: schemas)
    }

    private func tags(_ numbers: Range<Int>, in store: any Store) async throws -> [ChangeSet] {
        var changeSets: [ChangeSet] = []
        for number in numbers {
            changeSets.append(ChangeSet(inserts: [Sample.tag(number, "tag \(number)")]))
            _ = try await store.commit(changeSets[changeSets.count - 1])
        }
        return changeSets
    }

    private func position(_ store: any Store) async throws -> ChangeToken {
        try await store.commit(ChangeSet()).token
    }

    @Test func `a store that only reads follows the commits of one that writes, each once and in order`() async throws {
        let (writer, count) = (try await scratch.open(), 400)
        let start = try await position(writer)
        let reader = try await scratch.open(access: .readOnly)
        #expect(reader.traits.capabilities.contains(.journal))
        let written = Task {
            try await withThrowingTaskGroup(of: [ChangeToken: CommitID].self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var ids: [ChangeToken: CommitID] = [:]
                        for number in 0..<count / 8 {
                            let tag = Sample.tag(task * 1000 + number, "tag \(task) \(number)")
                            let changes = ChangeSet(inserts: [tag])
                            ids[try await writer.commit(changes).token] = changes.id
                        }
                        return ids
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
            }
        }
        var heard: [CommittedChanges] = []
        while heard.count < count {
            for await event in await reader.changes(after: heard.last?.token ?? start).prefix(90) {
                guard case .commit(let commit) = event else { return #expect(Bool(false), "a gap") }
                heard.append(commit)
                if heard.count == count { break }
            }
        }
        let ids = try await written.value
        #expect(heard.map(\.token) == ids.keys.sorted { $0.position < $1.position })
        #expect(heard.allSatisfy { ids[$0.token] == $0.id })
        #expect(try await position(reader) == heard.last?.token)
        #expect(try await reader.outcome(of: heard[0].id) == .stored)
        #expect(try await reader.outcome(of: CommitID()) == .unknown)
        await reader.close()
        await writer.close()
    }

    @Test(arguments: ["sqlite", "file"])
    func `a journal drops the oldest commits, and a reader gets a gap in their place`(kind: String) async throws {
        var store = try await open(kind, journal: JournalBounds(changes: 100))
        let start = try await position(store)
        let changeSets = try await tags(0..<600, in: store)
        await store.close()
        store = try await open(kind, journal: JournalBounds(changes: 100))
        let last = try await position(store)
        var events: [ChangeEvent] = []
        for await event in await store.changes(after: start) {
            events.append(event)
            if event.token == last { break }
        }
        guard case .gap(let end) = events[0] else { return #expect(Bool(false), "no gap") }
        #expect((100...400).contains(events.count - 1))
        #expect(events.dropFirst().map(\.token.position) == Array(end.position + 1...last.position))
        #expect(try await store.outcome(of: changeSets[0].id) == .unknown)
        #expect(try await store.outcome(of: changeSets[599].id) == .stored)
        await store.close()
    }

    @Test func `a journal in memory drops commits by age, but never the last one`() {
        let commits = RetainedCommits(JournalBounds(changes: 10, age: .seconds(60)), since: Timestamp(microseconds: 0))
        for position in 1...5 as ClosedRange<Int64> {
            let token = ChangeToken(lifetime: 1, position: position)
            commits.append(
                CommittedChanges(token: token, id: CommitID(), entries: []),
                at: Timestamp(microseconds: position * 40_000_000))
        }
        #expect(commits.commits(after: 0, limit: 9).map(\.token.position) == [4, 5])
        #expect(commits.commits(after: 4, limit: 9).map(\.token.position) == [5])
        let late = CommittedChanges(token: ChangeToken(lifetime: 1, position: 6), id: CommitID(), entries: [])
        commits.append(late, at: Timestamp(microseconds: 900_000_000))
        #expect(commits.commits(after: 0, limit: 9).map(\.token.position) == [6])
    }

    @Test(arguments: ["sqlite", "file"])
    func `a migration that is not additive is a gap`(kind: String) async throws {
        let evolved = try Evolved.renamed()
        var store = try await open(kind, schemas: evolved.old)
        let start = try await position(store)
        _ = try await store.commit(ChangeSet(inserts: evolved.objects))
        await store.close()
        store = try await open(kind, schemas: evolved.new)
        let end = try await position(store)
        #expect(end == ChangeToken(lifetime: start.lifetime, position: start.position + 2))
        var events = await store.changes(after: start).makeAsyncIterator()
        #expect(await events.next() == .gap(end))
        await store.close()
    }

    @Test(arguments: ["sqlite", "file"])
    func `a journal that was turned off in between has another lifetime`(kind: String) async throws {
        var store = try await open(kind)
        let start = try await position(store)
        await store.close()
        store = try await open(kind, journal: nil)
        #expect(!store.traits.capabilities.contains(.journal))
        let changeSets = try await tags(0..<3, in: store)
        await store.close()
        store = try await open(kind)
        let now = try await position(store)
        #expect(now.lifetime != start.lifetime)
        var events = await store.changes(after: start).makeAsyncIterator()
        #expect(await events.next() == .gap(now))
        #expect(try await store.outcome(of: changeSets[0].id) == .unknown)
        await store.close()
    }
}
