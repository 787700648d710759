import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cost of a file store with the given number of feasts: opening, memory, reads, compaction, and the pause of
/// commits.
///
/// `make bench ONLY=file` uses a thousand and a hundred thousand, `ONLY="file million"` a million.
enum FileScale {
    static func run(_ counts: [Int], in folder: URL) async throws {
        Report.row(
            "file store", ["open s", "KB each", "log MB", "read us", "memory us", "compact s", "pause ms"])
        for count in counts { try await measure(count, in: folder.appending(path: "file-\(count)").path) }
    }

    private static func measure(_ count: Int, in folder: String) async throws {
        let mappers = try MapperSet([FeastMapper.self, LabelMapper.self])
        // Measured before filling, which takes as much memory: memory freed in between is reused.
        let before = Memory.resident
        let filled = try await FileStore.open(.init(folder), schemas: mappers.schemas)
        try await fill(filled, count)
        await filled.close()

        let clock = ContinuousClock()
        let began = clock.now
        let store = try await FileStore.open(.init(folder), schemas: mappers.schemas)
        let opening = clock.now - began
        let each = (Memory.resident - before) * 1024 / Double(count)
        let bytes = try LogInspector.size(inFolder: folder)

        let memory = MemoryStore(mappers.schemas)
        try await fill(memory, count)
        let repositories = [store as any Store, memory].map {
            FeastRepository(manager: StoreManager($0, mappers: mappers))
        }
        let medians = try await pointReads(repositories, count)
        let (reads, memoryReads) = (medians[0], medians[1])
        let (compaction, pause) = try await compaction(of: store)
        await store.close()
        Report.row(
            "\(count) feasts",
            [
                opening.microseconds / 1e6, each, Double(bytes) / 1_048_576, reads, memoryReads,
                compaction.microseconds / 1e6, pause.microseconds / 1e3,
            ].map(Report.decimal) + [reads > memoryReads * 1.5 ? "    missed" : ""])
    }

    static func fill<Mapper: EntityMapper<Feast>>(
        _ store: any Store, _ count: Int, as mapper: Mapper.Type = FeastMapper.self
    ) async throws {
        let labels = try (0..<Feast.labelCount).map { try LabelMapper.storageObject(from: Label(number: $0)) }
        _ = try await store.commit(ChangeSet(inserts: labels))
        for start in stride(from: 0, to: count, by: 500) {
            let objects = try (start..<min(start + 500, count)).map {
                try mapper.storageObject(from: Feast(number: $0))
            }
            _ = try await store.commit(ChangeSet(inserts: objects))
        }
    }

    /// Microseconds of a feast's load from each store: the median of eleven alternating passes.
    private static func pointReads(_ repositories: [FeastRepository], _ count: Int) async throws -> [Double] {
        var passes = repositories.map { _ in [Double]() }
        for pass in 0..<11 {
            var chance = SplitMix64(state: UInt64(pass))
            let ids = (0..<5_000).map { _ in Feast(number: Int(chance.next() % UInt64(count))).id }
            for (index, repository) in repositories.enumerated() {
                let timed = try await Timed.measure {
                    var sum = 0
                    for id in ids { sum += try await repository.read(id)?.entity.steps.count ?? 0 }
                    return sum
                }
                passes[index].append(timed.duration.microseconds / Double(ids.count))
            }
        }
        return passes.map { $0.sorted()[5] }
    }

    /// The duration of a compaction, and the longest wait of the concurrent commits.
    private static func compaction(of store: FileStore) async throws -> (Duration, pause: Duration) {
        let clock = ContinuousClock()
        let commits = Task {
            var (longest, number) = (Duration.zero, 1_000)
            while !Task.isCancelled {
                number += 1
                let began = clock.now
                let label = try LabelMapper.storageObject(from: Label(number: number))
                // A cancelled commit did not wait.
                guard (try? await store.commit(ChangeSet(inserts: [label]))) != nil else { break }
                longest = max(longest, clock.now - began)
            }
            return longest
        }
        try await Task.sleep(for: .milliseconds(20))
        let began = clock.now
        try await store.compact()
        let took = clock.now - began
        // The commit that waited for it must be answered, not cancelled.
        try await Task.sleep(for: .milliseconds(100))
        commits.cancel()
        return (took, try await commits.value)
    }
}
