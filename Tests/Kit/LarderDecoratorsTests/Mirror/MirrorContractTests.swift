import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
import Testing

@Suite("The contract of mirrored stores")
struct MirrorContractTests {
    private static let quick: [StoreFixture] = [
        .mirrored("mirrored sqlite and file", StoreFixture.sqlite, StoreFixture.file)
    ]
    private static let others: [StoreFixture] = [
        .mirrored("mirrored memory", StoreFixture.memory, StoreFixture.memory, required: 0),
        .mirrored("mirrored memory, synchronous", StoreFixture.memory, StoreFixture.memory),
        .mirrored("mirrored memory and file", StoreFixture.memory, StoreFixture.file),
        .mirrored("mirrored sqlite and memory", StoreFixture.sqlite, StoreFixture.memory),
        .mirrored("cached, mirrored sqlite", StoreFixture.sqlite, StoreFixture.memory) { CachedStore($0) },
    ]

    @Test(arguments: RunSize.current == .quick ? quick : quick + others)
    func `a mirrored store keeps every law that its capabilities let it keep`(fixture: StoreFixture) async {
        await expectKept(fixture)
    }

    @Test func `histories of a store whose reads fail over to its mirror are strictly serializable`() async throws {
        let fixture = StoreFixture("failing reads") { schemas, _ in
            let members = try MirroredStore.schemas(of: schemas)
            let primary = Unstable(MemoryStore(members))
            let mirror = Member("mirror", MemoryStore(members))
            let store = try await MirroredStore.open(
                schemas, primary: Member("primary", primary), mirrors: [mirror], required: 1)
            primary.faults.failReads(percent: 50)
            return PatientReads(store)
        }
        let histories = RunSize.current.of(quick: 20, ci: 200, prove: 1000)
        print(try await HistoryRun(fixture, histories: histories, operations: 200).run())
    }
}

/// Repeats reads that neither the primary nor the mirror can answer at the moment.
private final class PatientReads: StoreDecorator {
    let base: any Store

    init(_ base: any Store) { self.base = base }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await patiently { () async throws(PersistencyError) in try await base.withRows(ids, of: schema, body) }
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        try await patiently { () async throws(PersistencyError) in try await base.withRows(request, body) }
    }

    private func patiently<Result>(
        _ read: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        while true {
            do throws(PersistencyError) {
                return try await read()
            } catch {
                guard case .unavailable(let why) = error, why.reason == .failed else { throw error }
                await Task.yield()
            }
        }
    }
}
