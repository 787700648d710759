import Foundation
import LarderData
import LarderInfrastructure
import LarderStoreContract
import Synchronization
import Testing

struct ContractTests {
    #if SQLCipher
    /// The library concerns SQLite only.
    private static let quick: [StoreFixture] = [.sqlite(.normal)]
    #else
    private static let quick: [StoreFixture] = [.memory, .file, .sqlite(.normal), .cached]
    #endif
    /// At the quick size, without variants of other stores.
    private static let fixtures = RunSize.current == .quick ? quick : StoreFixture.all

    @Test(arguments: fixtures)
    func `a store keeps every law that its capabilities let it keep`(fixture: StoreFixture) async {
        let began = ContinuousClock.now
        let verdicts = await StoreContract.judge(fixture)
        Self.expectKept(verdicts, fixture)
        let kept = verdicts.count { $0.verdict == .kept }
        let figure = "\(kept) of \(verdicts.count) laws kept"
        print(RunReport("contract, \(fixture)", figure: figure, seed: nil, duration: ContinuousClock.now - began))
        #expect(kept >= 120)
    }

    #if SQLCipher
    @Test func `a sealed database keeps every law except those that the older SQLite loses`() async {
        let verdicts = await StoreContract.judge(.sealedSQLite)
        Self.expectKept(verdicts, .sealedSQLite)
        print(
            RunReport(
                "contract, sealed", figure: "\(verdicts.count { $0.verdict == .kept }) of \(verdicts.count) laws kept",
                seed: nil, duration: .zero))
    }

    /// `Infrastructure/Kit/SQLite/README.md` lists them.
    private static let lost = ["A relationship contains any of some ids, also of thousands"]
    #else
    private static let lost: [String] = []
    #endif

    /// A selection of the laws for a sanitizer, because all of them would take many minutes.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LARDER_SANITIZER"] != nil, "no sanitizer watches"),
        arguments: [.memory, .file, .sqlite(.normal), .cached] as [StoreFixture])
    func `a store keeps the laws of concurrency`(fixture: StoreFixture) async {
        let groups: [LawGroup] = [.transactions, .conflicts, .changes, .storeLife, .concurrency, .cancellation]
        let laws = StoreContract.laws.filter { groups.contains($0.group) }
        Self.expectKept(await StoreContract.judge(fixture, laws: laws), fixture)
    }

    private static func expectKept(_ verdicts: [LawVerdict], _ fixture: StoreFixture) {
        for verdict in verdicts {
            switch verdict.verdict {
            case .kept: break
            // A store without optional capabilities keeps all laws that require none.
            case .notApplicable(let missing): #expect(verdict.law.needs.contains(missing))
            case .broken where fixture.description.hasPrefix("sqlite") && lost.contains(verdict.law.name): break
            case .broken: Issue.record("\(fixture): \(verdict)")
            }
        }
    }

    @Test func `each law has a unique name, and each group has several laws`() {
        let laws = StoreContract.laws
        #expect(Set(laws.map(\.name)).count == laws.count)
        for group in LawGroup.allCases where group != .runs {
            #expect(laws.count { $0.group == group } >= 7, "\(group)")
        }
        #expect(laws.count { $0.group == .runs } == 3)
    }

    @Test func `laws of snapshots end soon for stores whose calls never suspend, kept or broken`() async {
        let laws = StoreContract.laws.filter { $0.name.contains("belong to one snapshot") && $0.group == .concurrency }
        #expect(laws.count == 2)
        for readsTwice in [false, true] {
            let fixture = StoreFixture("hasty") { schemas, _ in HastyStore(schemas, readsTwice: readsTwice) }
            // The law yields often, and each yield may wait for hundreds of other tests.
            for verdict in await StoreContract.judge(fixture, laws: laws, patience: .seconds(600)) {
                switch verdict.verdict {
                case .broken(let why): #expect(readsTwice && !why.contains("longer"), "\(verdict)")
                default: #expect(!readsTwice, "\(verdict)")
                }
            }
            // The time limit ends a law that would never end.
            let cut = await StoreContract.judge(fixture, laws: laws, patience: .zero)
            #expect(cut.count == laws.count)
        }
    }

    /// The time limit is short, because each law uses it up.
    @Test(arguments: StuckStore.Call.allCases)
    func `a store whose call never ends breaks a law, and the next law is judged`(call: StuckStore.Call) async {
        let fixture = StoreFixture("stuck") { schemas, _ in StuckStore(schemas, in: call) }
        let laws = Array(StoreContract.laws.filter { $0.group == .lifecycle }.prefix(2))
        let verdicts = await StoreContract.judge(fixture, laws: laws, patience: .milliseconds(500))
        #expect(verdicts.count == 2)
        for verdict in verdicts { #expect(verdict.description.contains("longer"), "\(verdict)") }
    }

    @Test(arguments: [true, false])
    func `a fixture that never opens or discards a store breaks a law, and the next law is judged`(
        opens: Bool
    ) async {
        let stuck = Stuck()
        let fixture = StoreFixture("stuck") { schemas, _ in
            if !opens { await stuck.wait() }
            return MemoryStore(schemas)
        } discard: { _ in
            if opens { await stuck.wait() }
        }
        // A law that is kept, and one that does not apply to the store.
        let laws = [
            StoreContract.laws.first { $0.group == .lifecycle }, StoreContract.laws.first { $0.needs == [.durable] },
        ].compactMap(\.self)
        let verdicts = await StoreContract.judge(fixture, laws: laws, patience: .milliseconds(500))
        #expect(verdicts.count == 2)
        for verdict in verdicts {
            let phase = opens ? "discarding the store took longer" : "opening the store took longer"
            #expect(verdict.description.contains(phase), "\(verdict)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a store that opens after the time limit is closed`() async throws {
        let opened = Mutex<MemoryStore?>(nil)
        let fixture = StoreFixture("late") { schemas, _ in
            // The time limit cancels it.
            try? await Task.sleep(for: .seconds(300))
            let store = MemoryStore(schemas)
            opened.withLock { $0 = store }
            return store
        }
        let laws = Array(StoreContract.laws.prefix(1))
        let verdicts = await StoreContract.judge(fixture, laws: laws, patience: .milliseconds(100))
        #expect(verdicts.first?.description.contains("opening the store took longer") == true)
        var isOpen = true
        while isOpen {
            await Task.yield()
            if let store = opened.withLock(\.self) { isOpen = try await store.isOpen() }
        }
    }

    @Test func `a store that cannot be opened breaks every law`() async {
        struct NoStore: Error {}
        let fixture = StoreFixture("none") { _, _ in throw NoStore() }
        let verdicts = await StoreContract.judge(fixture, laws: Array(StoreContract.laws.prefix(3)))
        #expect(verdicts.count == 3)
        for verdict in verdicts { #expect(verdict.description.contains("could not be opened")) }
    }
}
