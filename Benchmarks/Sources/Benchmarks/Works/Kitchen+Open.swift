import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Lets Larder make and fill a database, copies the file for the floor, and opens both.
func withKitchen(_ count: Int, in folder: URL, _ body: (Kitchen) async throws -> Void) async throws {
    let dishes = (0..<count).map(Dish.init)
    let mappers = try MapperSet([DishMapper.self, FeastMapper.self, LabelMapper.self])
    let path = folder.appending(path: "kit.sqlite").path
    let floorPath = folder.appending(path: "floor.sqlite").path
    let configuration = SQLiteStore.Configuration(.file(path), durability: .normal)

    let filled = try await SQLiteStore.open(configuration, schemas: mappers.schemas)
    for start in stride(from: 0, to: count, by: 5_000) {
        let objects = try dishes[start..<min(start + 5_000, count)].map(DishMapper.storageObject)
        _ = try await filled.commit(ChangeSet(inserts: objects))
    }
    let feasts = (0..<count / 20).map(Feast.init)
    let labels = try (0..<Feast.labelCount).map { try LabelMapper.storageObject(from: Label(number: $0)) }
    _ = try await filled.commit(ChangeSet(inserts: labels))
    for start in stride(from: 0, to: feasts.count, by: 500) {
        let objects = try feasts[start..<min(start + 500, feasts.count)].map(FeastMapper.storageObject)
        _ = try await filled.commit(ChangeSet(inserts: objects))
    }
    await filled.close()
    try FileManager.default.copyItem(atPath: path, toPath: floorPath)

    let store = try await SQLiteStore.open(configuration, schemas: mappers.schemas)
    let manager = StoreManager(store, mappers: mappers)
    let kitchen = Kitchen(
        repository: DishRepository(manager: manager),
        floor: try FloorDatabase(path: floorPath, isReadOnly: false),
        floorReaders: try (0..<8).map { _ in try FloorDatabase(path: floorPath, isReadOnly: true) },
        ids: dishes.map(\.id), feasts: FeastRepository(manager: manager),
        floorFeasts: try FloorFeasts(path: floorPath), feastCount: feasts.count, folder: folder)
    try await body(kitchen)
    await store.close()
}
