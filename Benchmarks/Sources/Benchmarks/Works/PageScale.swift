import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cost of an export, of counts, and of a list in a store with the given number of feasts, without opening.
///
/// `make bench ONLY=pages` uses 10,000, 50,000, and 200,000 in a database and in files.
enum PageScale {
    /// The page size of `larder export`.
    private static let exportPage = 8

    static func run(_ counts: [Int], in folder: URL) async throws {
        let mappers = try MapperSet([ListedFeastMapper.self, LabelMapper.self])
        Report.row("pages", ["open s", "export s", "counts s", "list ms", "deep list ms"])
        for count in counts {
            let database = folder.appending(path: "pages-\(count).sqlite").path
            try await measure("\(count) feasts, SQLite", count, mappers) {
                try await SQLiteStore.open(.init(.file(database), durability: .normal), schemas: mappers.schemas)
            }
            let files = folder.appending(path: "pages-\(count)").path
            try await measure("\(count) feasts, files", count, mappers) {
                try await FileStore.open(.init(files), schemas: mappers.schemas)
            }
        }
    }

    private static func measure(
        _ name: String, _ count: Int, _ mappers: MapperSet, open: () async throws -> any Store
    ) async throws {
        let filled = try await open()
        try await FileScale.fill(filled, count, as: ListedFeastMapper.self)
        await filled.close()

        let clock = ContinuousClock()
        let began = clock.now
        let store = try await open()
        let opening = clock.now - began
        let manager = StoreManager(store, mappers: mappers)
        let export = try await Timed.measure {
            var (read, cursor) = (0, Cursor?.none)
            repeat {
                let page = try await manager.read(Query<Feast>(limit: exportPage, after: cursor))
                read += page.items.count
                cursor = page.next
            } while cursor != nil
            return read
        }
        let counts = try await Timed.measure {
            let steps = try await manager.counts(Query<Feast>(), by: .size(\.steps))
            let ingredients = try await manager.counts(Query<Feast>(), by: .size(\.ingredients))
            return steps.count + ingredients.count
        }
        var list = Query<Feast>(sort: [Sort(\.name)], limit: 20, includesTotal: true)
        let first = try await median { try await manager.read(list).items.count }
        list.after = try await manager.read(Query<Feast>(sort: [Sort(\.name)], limit: count / 2)).next
        let deep = try await median { try await manager.read(list).items.count }
        await store.close()
        Report.row(
            name,
            [opening, export.duration, counts.duration].map { Report.decimal($0.microseconds / 1e6) }
                + [first, deep].map { Report.decimal($0 / 1e3) })
    }

    private static func median(_ work: () async throws -> Int) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<11 { times.append(try await Timed.measure(work).duration.microseconds) }
        return times.sorted()[5]
    }
}

/// Feasts that lists sort by name.
enum ListedFeastMapper: EntityMapper {
    static let mapping = Mapping<Feast>(
        "feast", id: \.id,
        [
            .column("name", \.name).indexed,
            .children("steps", \.steps, FeastMapper.StepMapper.self),
            .children("ingredients", \.ingredients, FeastMapper.IngredientMapper.self),
            .links("labels", \.labels, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Feast { try FeastMapper.entity(from: &row) }
}
