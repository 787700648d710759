import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderStoreContract

/// Damaged backups.
struct BackupDamageProofTests {
    @Test func `a damaged backup is refused, and the target stays as it was`() async throws {
        let began = ContinuousClock.now
        let bench = try BackupBench()
        let (first, second) = (try await records(bench, salt: 1), try await records(bench, salt: 2))
        for kind in [BackupBench.Kind.file, .sqlite] {
            let store = try await bench.open(kind, "target-\(kind)")
            try await store.insert(Sample.tag(99, "old"))
            await store.close()
        }
        let seed = UInt64.random(in: 0 ... .max)
        var damage = BackupDamage(first, second, seed: seed)
        let count = RunSize.current.of(quick: 200, ci: 1_000, prove: 10_000)
        let before = try bench.files()
        for number in 0..<count {
            let (name, bytes) = damage.next(number)
            if bytes == Array(first.joined()) { continue }
            try bench.write(bytes, "damaged")
            let kind = BackupBench.Kind.allCases[number % 3]
            let error = await refusal {
                try await bench.restore(kind, "damaged", "target-\(kind)", replacing: true)
            }
            #expect(error != nil, "\(name), seed \(seed), number \(number)")
            try POSIXFileSystem().remove(bench.path("damaged"))
            let after = try bench.files()
            #expect(after == before, "\(name), seed \(seed), number \(number)")
        }
        // The files are readable, so that their refusal was not for another reason.
        try bench.write(Array(first.joined()), "intact")
        for kind in [BackupBench.Kind.file, .sqlite] {
            try await bench.restore(kind, "intact", "target-\(kind)", replacing: true)
        }
        print(
            RunReport(
                "damaged backups", figure: "\(count) files, all refused, targets unchanged", seed: seed,
                duration: ContinuousClock.now - began))
    }

    /// The records of a backup of the same state, with small records.
    private func records(_ bench: BackupBench, salt: UInt64) async throws -> [[UInt8]] {
        let store = MemoryStore(try Sample.schemas())
        try await BackupBench.fill(store)
        let state = try store.withState { (state) throws(PersistencyError) in state }
        let snapshot = StoreSnapshot(state, LogCodec(state.schemas, recordBytes: 400))
        _ = try BackupDraft(bench.path("made"), replacing: true, POSIXFileSystem(), salt: salt).write(snapshot)
        let bytes = try bench.bytes("made")
        try POSIXFileSystem().remove(bench.path("made"))
        return bytes.records
    }
}

/// Makes damaged files.
private struct BackupDamage {
    private let records: [[UInt8]]
    private let others: [[UInt8]]
    private let bytes: [UInt8]
    private var chance: Chance

    init(_ records: [[UInt8]], _ others: [[UInt8]], seed: UInt64) {
        (self.records, self.others, bytes) = (records, others, Array(records.joined()))
        chance = Chance(seed: seed)
    }

    mutating func next(_ number: Int) -> (name: String, bytes: [UInt8]) {
        var (bytes, records) = (bytes, records)
        let place = Int.random(in: bytes.indices, using: &chance)
        let record = Int.random(in: records.indices, using: &chance)
        let other = Int.random(in: records.indices, using: &chance)
        switch number % 12 {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
        case 1: bytes[place] = bytes[place] &+ UInt8.random(in: 1...255, using: &chance)
        case 2: bytes.removeSubrange(place...)
        case 3: bytes += bytes.prefix(place + 1)
        case 4:
            let end = min(bytes.count, place + 512)
            bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0, count: end - place))
        case 5: bytes.remove(at: place)
        case 6: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: place)
        case 7:
            records.remove(at: record)
            bytes = Array(records.joined())
        case 8:
            records.insert(records[record], at: other)
            bytes = Array(records.joined())
        case 9:
            records.swapAt(record, other)
            bytes = Array(records.joined())
        case 10:
            records[record] = others[record]
            bytes = Array(records.joined())
        default:
            // Intact records, renumbered, but not those of the backup.
            records.remove(at: record)
            if Bool.random(using: &chance), let last = records.last { records.insert(last, at: other % records.count) }
            bytes = Array(records.enumerated().map { $1.sealed(number: UInt64($0)) }.joined())
        }
        return ("damage of kind \(number % 12) at byte \(place), record \(record), \(other)", bytes)
    }
}
