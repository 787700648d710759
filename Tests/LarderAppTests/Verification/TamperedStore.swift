import LarderData
import LarderDomain
import LarderInfrastructure

/// A store whose objects are not what was committed.
final class TamperedStore: StoreDecorator {
    let base: any Store
    private let tamper: @Sendable (inout StorageObject) -> Void

    init(_ base: MemoryStore, _ tamper: @escaping @Sendable (inout StorageObject) -> Void) {
        (self.base, self.tamper) = (base, tamper)
    }

    private func tampered(_ object: StorageObject) -> StorageObject {
        var object = object
        tamper(&object)
        return object
    }

    func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject? {
        try await read([id], of: schema).first
    }

    func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        try await base.read(ids, of: schema).map(tampered)
    }

    func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        try await base.read(request) { [self] object throws(PersistencyError) in try transform(tampered(object)) }
    }
}
