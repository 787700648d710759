import LarderData
import LarderDomain
import LarderInfrastructure

/// A store that modifies objects when they are read.
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

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try Rows.lend(try await base.read(ids, of: schema).map(tampered), to: body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let page = try await base.read(request)
        return try ReadResult(items: page.items.map(tampered), next: page.next, total: page.total).lend(to: body)
    }
}
