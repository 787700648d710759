import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@testable import LarderInfrastructureTests

@Suite("A mirrored store")
struct MirroredStoreTests {
    private let primary: MemoryStore
    private let mirror: MemoryStore
    private let faults = (primary: Faults(), mirror: Faults())

    init() throws {
        let members = try MirroredStore.schemas(of: Sample.schemas())
        (primary, mirror) = (MemoryStore(members), MemoryStore(members))
    }

    private func open(required: Int = 0, mirrors: [Member]? = nil) async throws -> MirroredStore {
        try await MirroredStore.open(
            Sample.schemas(), primary: Member("primary", Unstable(primary, faults.primary)),
            mirrors: mirrors ?? [Member("mirror", Unstable(mirror, faults.mirror))], required: required)
    }

    private func refusal(mirrors: [Member]? = nil) async -> String? {
        do {
            await (try await open(mirrors: mirrors)).close()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func expectEqual() async throws {
        #expect(difference(try await mirror.contents(), try await primary.contents()) == nil)
    }

    @Test func `fills an empty mirror, in commits that contain the targets of their references`() async throws {
        for number in 1...700 {
            _ = try await primary.insert(Sample.book(number, "Book", sequels: number > 1 ? [number - 1] : []))
        }
        try await primary.replace(Sample.book(1, "First", sequels: [700]))
        await (try open()).close()
        try await expectEqual()
        #expect(try await mirror.read(Sample.id(1), of: Sample.book)?.version == 2)
    }

    @Test func `acknowledges a commit only when the required mirror has it`() async throws {
        let store = try await open(required: 1)
        try await store.insert(Sample.tag(1, "one"))
        #expect(try await mirror.read(Sample.id(1), of: Sample.tag) != nil)
        faults.mirror.isDown = true
        let changes = ChangeSet(inserts: [Sample.tag(2, "two")])
        guard
            case .inDoubt(let id, _)? = await failure({ () throws(PersistencyError) in
                _ = try await store.commit(changes)
            })
        else {
            Issue.record("the commit was not in doubt")
            return
        }
        #expect(id == changes.id)
        #expect(try await store.outcome(of: id) == .unknown)
        #expect(store.mirrors[0].missing == 1)
        guard
            case .unavailable(let why)? = await failure({ () throws(PersistencyError) in
                try await store.insert(Sample.tag(3, "three"))
            })
        else {
            Issue.record("a commit without a mirror was accepted")
            return
        }
        #expect(why.message.contains("fewer than 1 mirrors"))
        #expect(try await primary.read(Sample.id(3), of: Sample.tag) == nil)
        faults.mirror.isDown = false
        try await until { store.mirrors[0].trouble == nil && store.mirrors[0].position == 2 }
        #expect(try await store.outcome(of: id) == .stored)
        #expect(store.mirrors[0].missing == 0)
        await store.close()
        try await expectEqual()
    }

    @Test func `does not wait for a commit in doubt that was not stored`() async throws {
        let store = try await open()
        faults.primary.decideCommits { .doubtful }
        let lost = ChangeSet(inserts: [Sample.tag(1, "lost")])
        let error = await failure { () throws(PersistencyError) in _ = try await store.commit(lost) }
        guard case .inDoubt? = error else {
            Issue.record("the commit was not in doubt")
            return
        }
        faults.primary.decideCommits { .none }
        try await store.insert(Sample.tag(2, "two"))
        try await until { store.mirrors[0].position == 1 }
        faults.primary.isDown = true
        #expect(try await store.read(Sample.id(2), of: Sample.tag) != nil)
        #expect(try await store.read(Sample.id(1), of: Sample.tag) == nil)
        faults.primary.isDown = false
        await store.close()
        try await expectEqual()
    }

    @Test func `answers reads from a mirror only if it has all commits`() async throws {
        let store = try await open()
        let receipt = try await store.insert(Sample.tag(1, "one"))
        try await until { store.mirrors[0].position == 1 }
        faults.primary.isDown = true
        #expect(try await store.read(Sample.id(1), of: Sample.tag) != nil)
        let token = ReadConsistency(including: receipt.token)
        #expect(try await store.read(ReadRequest(Sample.tag, consistency: token)).items.count == 1)
        let foreign = ReadConsistency(including: ChangeToken(lifetime: 1, position: 1))
        guard
            case .unsupportedQuery? = await failure({ () throws(PersistencyError) in
                _ = try await store.read(ReadRequest(Sample.tag, consistency: foreign))
            })
        else {
            Issue.record("a token of another lifetime was accepted")
            return
        }
        faults.primary.isDown = false
        faults.mirror.isDown = true
        try await store.insert(Sample.tag(2, "two"))
        faults.primary.isDown = true
        let error = await failure { () throws(PersistencyError) in _ = try await store.read(ReadRequest(Sample.tag)) }
        guard case .unavailable? = error else {
            Issue.record("a mirror without the last commit answered")
            return
        }
        faults.mirror.isDown = false
        faults.primary.isDown = false
        await store.close()
    }

    @Test func `answers from a replica that lacks the last commits only if it has the required one`() async throws {
        let store = try await open()
        let first = try await store.insert(Sample.tag(1, "one"))
        try await until { store.mirrors[0].position == 1 }
        faults.mirror.holdsCommits = true
        let second = try await store.insert(Sample.tag(2, "two"))
        faults.primary.isDown = true
        #expect(store.mirrors[0].trouble == nil)
        let former = ReadRequest(Sample.tag, consistency: ReadConsistency(.replica, including: first.token))
        #expect(try await store.read(former).items.count == 1)
        for consistency in [ReadConsistency(.replica, including: second.token), ReadConsistency()] {
            let error = await failure { () throws(PersistencyError) in
                _ = try await store.read(ReadRequest(Sample.tag, consistency: consistency))
            }
            guard case .unavailable? = error else {
                Issue.record("a mirror without the required commit answered")
                continue
            }
        }
        faults.primary.isDown = false
        faults.mirror.holdsCommits = false
        await store.close()
        try await expectEqual()
    }

    @Test func `commits go on while a mirror that catches up does not answer`() async throws {
        let store = try await open()
        faults.mirror.isDown = true
        // More change sets than are kept for a mirror: it must read the last ones.
        for number in 1...1_030 { try await store.insert(Sample.tag(number, "\(number)")) }
        for number in 1...9 { try await store.insert(Sample.book(2_000 + number, "Book", tags: [number, number + 1])) }
        (faults.mirror.holdsReads, faults.mirror.isDown) = (true, false)
        try await until { faults.mirror.heldReads > 0 }
        let missing = store.mirrors[0].missing
        let commits = Task {
            for number in 1...5 {
                let changes = ChangeSet(
                    deletes: [Sample.tag(number, "").expecting(1)], removals: store.removals(of: Sample.tag, number))
                _ = try await store.commit(changes)
            }
        }
        try await until { store.mirrors[0].missing == missing + 5 }
        try await commits.value
        faults.mirror.holdsReads = false
        try await until { store.mirrors[0].missing == 0 }
        await store.close()
        try await expectEqual()
    }

    @Test func `refuses stores that must not be changed`() async throws {
        let store = try await open()
        try await store.insert(Sample.tag(1, "one"))
        await store.close()
        let members = try MirroredStore.schemas(of: Sample.schemas())
        let other = MemoryStore(members)
        try await other.insert(Sample.tag(9, "other"))
        let refusal = await refusal(mirrors: [Member("b", other)])
        #expect(refusal?.contains("b contains data, and is not a mirror") == true)
        #expect(await self.refusal(mirrors: [Member("b", MemoryStore(members))]) == nil)
        await #expect(throws: PersistencyError.self) {
            try await MirroredStore.open(
                Sample.schemas(), primary: Member("m", Unstable(mirror)), mirrors: [])
        }
    }

    @Test func `refuses a mirror that the journal does not reach, or that lacks more than one commit may contain`()
        async throws
    {
        let members = try MirroredStore.schemas(of: Sample.schemas())
        let half = String(repeating: "a", count: ChangeSet.byteLimit / 2)
        for (bounds, texts) in [
            (JournalBounds(changes: 1), ["a", "b", "c", "d", "e"]), (JournalBounds(), [half, half + "b"]),
        ] {
            let (primary, mirror) = (MemoryStore(members, journal: bounds), MemoryStore(members))
            func open() async throws -> MirroredStore {
                try await MirroredStore.open(
                    Sample.schemas(), primary: Member("primary", Unstable(primary)),
                    mirrors: [Member("mirror", Unstable(mirror))])
            }
            await (try await open()).close()
            for (number, text) in texts.enumerated() { try await primary.insert(Sample.tag(number + 1, text)) }
            do {
                await (try await open()).close()
                Issue.record("the mirror was accepted")
            } catch {
                #expect("\(error)".contains("mirror is too far behind primary"))
            }
            #expect(try await mirror.contents().isEmpty)
        }
    }

    @Test func `loses exactly the commits that the promoted mirror does not have`() async throws {
        let store = try await open()
        for number in 1...5 { try await store.insert(Sample.tag(number, "\(number)")) }
        try await until { store.mirrors[0].position == 5 }
        faults.mirror.isDown = true
        for number in 6...9 { try await store.insert(Sample.tag(number, "\(number)")) }
        await store.close()
        faults.mirror.isDown = false
        let (new, old) = (Member("mirror", mirror), Member("primary", primary))
        let refused = await failure { () throws(PersistencyError) in
            _ = try await MirroredStore.promote(new, over: old)
        }
        #expect("\(refused.map { "\($0)" } ?? "")".contains("primary has 4 commits that mirror does not have"))
        let position = try await MirroredStore.promote(new, over: old, losing: true).position
        #expect(position == 5)
        #expect(try await mirror.contents().count == 5)
        // Repeated, it changes nothing.
        #expect(try await MirroredStore.promote(new, over: old).position == 5)
        #expect(await refusal()?.contains("was replaced by a promoted mirror") == true)
    }

    @Test func `a mirror without space for the record in a commit is not promoted before it has recorded it`()
        async throws
    {
        let store = try await open()
        let count = Mutex(0)
        // The first commit to the mirror records that the change begins, and the second one is the change.
        faults.mirror.decideCommits { [faults] in
            count.withLock { count in
                count += 1
                guard count == 2 else { return .none }
                faults.mirror.isDown = true
                return .afterwards
            }
        }
        try await store.insert(Sample.tag(1, String(repeating: "a", count: ChangeSet.byteLimit - 600)))
        try await until { store.mirrors[0].trouble != nil }
        let refused = await failure { () throws(PersistencyError) in
            _ = try await MirroredStore.promote(Member("mirror", mirror), over: nil)
        }
        #expect("\(refused.map { "\($0)" } ?? "")".contains("mirror is incomplete"))
        faults.mirror.isDown = false
        try await until { store.mirrors[0].trouble == nil && store.mirrors[0].position == 1 }
        #expect(count.withLock(\.self) == 3)
        await store.close()
        try await expectEqual()
    }

    @Test func `a second mirror at the position of the promotion follows the new primary`() async throws {
        let members = try MirroredStore.schemas(of: Sample.schemas())
        let second = MemoryStore(members)
        let both = [Member("mirror", Unstable(mirror)), Member("second", Unstable(second))]
        let store = try await open(required: 2, mirrors: both)
        try await store.insert(Sample.tag(1, "one"))
        await store.close()
        _ = try await MirroredStore.promote(both[0], over: nil, others: [both[1]])
        let next = try await MirroredStore.open(
            Sample.schemas(), primary: both[0], mirrors: [both[1]], required: 1)
        try await next.replace(Sample.tag(1, "changed"))
        await next.close()
        #expect(difference(try await second.contents(), try await mirror.contents()) == nil)
    }
}
