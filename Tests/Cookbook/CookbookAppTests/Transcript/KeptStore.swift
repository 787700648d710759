import LarderData
import LarderDomain
import LarderInfrastructure

/// A store in memory that stays open when a command closes it.
final class KeptStore: StoreDecorator {
    let base: any Store

    init(_ schemas: SchemaSet) {
        base = MemoryStore(schemas)
    }

    func close() async {}
}
