import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// W9: commits per second at durability `full`, by one writer and by many concurrent ones, which share their syncs, on
/// SQLite and on the file store's log.
///
/// `make bench` runs it twice: on the actual disk, and with each sync delayed by two milliseconds, as on a disk that
/// really syncs.
enum GroupCommit {
    private static let writers = [1, 8, 64]
    private static let duration = Duration.seconds(3)

    static func run(in folder: URL) async throws {
        let mappers = try MapperSet([DishMapper.self])
        let path = folder.appending(path: "writers.sqlite").path
        let stores: [any Store] = [
            try await SQLiteStore.open(.init(.file(path), durability: .full), schemas: mappers.schemas),
            try await FileStore.open(.init(folder.appending(path: "writers").path), schemas: mappers.schemas),
        ]
        let sync = try syncTime(in: folder)
        // If a sync costs almost nothing, sharing it gains nothing.
        let target = sync < 1 ? "" : "10.00"
        Report.row("W9 commits per second at `full`", ["alone", "8", "64", "ratio", "target"])
        for store in stores {
            let repository = DishRepository(manager: StoreManager(store, mappers: mappers))
            var rates: [Double] = []
            for (number, count) in writers.enumerated() {
                rates.append(try await commitsPerSecond(repository, writers: count, from: number * 1_000_000))
            }
            await store.close()
            let ratio = (rates.last ?? 0) / (rates.first ?? 1)
            Report.row(
                "\(store.traits.kind), one sync takes \(Report.decimal(sync)) ms",
                rates.map { "\(Int($0))" }
                    + [Report.decimal(ratio), target, sync >= 1 && ratio < 10 ? "    missed" : ""])
        }
    }

    private static func commitsPerSecond(
        _ repository: DishRepository, writers: Int, from first: Int
    ) async throws -> Double {
        let clock = ContinuousClock()
        let began = clock.now
        let commits = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var written = 0
                    while clock.now - began < duration {
                        try await repository.create(Dish(number: first + written * writers + writer))
                        written += 1
                    }
                    return written
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(commits) / ((clock.now - began).microseconds / 1e6)
    }

    /// The median duration in milliseconds of a sync after appending four kilobytes to a file.
    private static func syncTime(in folder: URL) throws -> Double {
        let file = open(folder.appending(path: "sync").path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        defer { close(file) }
        let page = [UInt8](repeating: 7, count: 4096)
        let clock = ContinuousClock()
        let times = (0..<50).map { _ in
            _ = write(file, page, page.count)
            return clock.measure { fsync(file) }.microseconds / 1000
        }
        return times.sorted()[25]
    }
}
