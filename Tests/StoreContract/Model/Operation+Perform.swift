internal import LarderDomain

extension Operation {
    /// Performs the operation and converts the result to a comparable answer.
    func perform(by manager: any PersistencyManager) async -> Answer {
        do throws(PersistencyError) {
            return switch self {
            case .read(let key): try await read(key.kind.type, key, manager)
            case .readMany(let kind, let keys): try await read(kind.type, keys, manager)
            case .create(let item): try await create(item.entity, manager)
            case .save(let item): try await save(item.entity, manager)
            case .saveByKey(let item): try await saveByKey(item, manager)
            case .update(let item, let version): try await update(item.entity, version, manager)
            case .delete(let key, let version): try await delete(key.kind.type, key, version, manager)
            case .ask(let question, let size): try await question.ask(manager, size)
            case .count(let tally): try await tally.count(manager)
            case .sweep(let sweep): .changed(try await sweep.update(manager))
            }
        } catch {
            return .failed(.init(error))
        }
    }

    private func read<E: Entity>(
        _ type: E.Type, _ key: ItemKey, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        guard let stored = try await manager.read(EntityID<E>(key.rawID)) else { return .absent }
        return try .stored(KeptItem(stored))
    }

    private func read<E: Entity>(
        _ type: E.Type, _ keys: [ItemKey], _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        .found(try KeptItem.all(try await manager.read(keys.map { EntityID<E>($0.rawID) })), total: nil)
    }

    private func create<E: Entity>(
        _ entity: E, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        .stored(try KeptItem(try await manager.create(entity)))
    }

    private func save<E: Entity>(
        _ entity: E, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        try Self.answer(try await manager.save(entity))
    }

    private func saveByKey(
        _ item: Item, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        switch item {
        case .author(let author): return try Self.answer(try await manager.save(author, by: \.email))
        case .genre(let genre): return try Self.answer(try await manager.save(genre, by: \.name))
        default: return try await save(item.entity, manager)
        }
    }

    private static func answer<E: Entity>(_ saved: Saved<E>) throws(PersistencyError) -> Answer {
        .saved(saved.outcome, try KeptItem(saved.stored))
    }

    private func update<E: Entity>(
        _ entity: E, _ version: Int64?, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        try Self.answer(try await manager.update(entity, expecting: version))
    }

    private func delete<E: Entity>(
        _ type: E.Type, _ key: ItemKey, _ version: Int64?, _ manager: any PersistencyManager
    ) async throws(PersistencyError) -> Answer {
        try await manager.delete(EntityID<E>(key.rawID), expecting: version)
        return .done
    }
}

extension KeptItem {
    init<E: Entity>(_ stored: Stored<E>) throws(PersistencyError) {
        guard let item = Item(stored.entity) else { throw .unknownEntity(E.entityName) }
        self.init(item, stored.version)
    }

    static func all<E: Entity>(_ stored: [Stored<E>]) throws(PersistencyError) -> [KeptItem] {
        var items: [KeptItem] = []
        for one in stored { items.append(try KeptItem(one)) }
        return items
    }
}
