import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates and fills a database with each of Larder's stores, copies the SQLite store's file for the other sides, and opens
/// all of them.
func withKitchen(_ count: Int, in folder: URL, _ body: (Kitchen) async throws -> Void) async throws {
    func path(_ name: String) -> String { folder.appending(path: name + ".sqlite").path }

    let schemas = try LarderSide.mappers().schemas
    let feastCount = max(count / 20, 200)
    for (name, open) in [("larder", LarderSide.sqlite()), ("larder-grdb", LarderSide.grdb)] {
        let filled = try await open(path(name), schemas)
        for start in stride(from: 0, to: count, by: 5_000) {
            let objects = try (start..<min(start + 5_000, count)).map {
                try DishMapper.storageObject(from: Dish(number: $0))
            }
            _ = try await filled.commit(ChangeSet(inserts: objects))
        }
        try await FileScale.fill(filled, feastCount)
        await filled.close()
    }
    for name in ["original", "floor", "floor-plain", "grdb", "codable"] {
        try FileManager.default.copyItem(atPath: path("larder"), toPath: path(name))
    }

    let larder = try await LarderSide.open("Larder", path("larder"))
    let onGRDB = try await LarderSide.open("Larder on GRDB", path("larder-grdb"), by: LarderSide.grdb)
    let sides: [any Side] = [
        try FloorSide(path: path("floor"), rows: count, tasks: Kitchen.tasks), larder,
        try GRDBSide<DishRow, FeastRows>(name: "GRDB", path: path("grdb"), tasks: Kitchen.tasks),
        try GRDBSide<CodableDish, CodableFeast>(name: "GRDB Codable", path: path("codable"), tasks: Kitchen.tasks),
        onGRDB,
        try FloorSide(path: path("floor-plain"), rows: count, tasks: Kitchen.tasks, journals: false),
    ]
    try await body(
        Kitchen(
            sides: sides, repository: larder.dishes, ids: (0..<count).map { Dish(number: $0).id },
            feastCount: feastCount, original: path("original"), folder: folder))
    await larder.store.close()
    await onGRDB.store.close()
}
