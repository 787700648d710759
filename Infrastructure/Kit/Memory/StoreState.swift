internal import LarderData
internal import LarderDomain

/// The state of a store in memory.
typealias StoreState = ObjectState<RootTables>

extension StoreState {
    init(schemas: SchemaSet, sequence: Int64 = 0) {
        self.init(schemas: schemas, table: RootTables(schemas), sequence: sequence)
    }

    /// The state with all added derived columns computed.
    ///
    /// - Throws: `incompatible` if a root cannot be mapped to an entity, or two roots would share a unique value.
    func filling(_ added: AddedDerivations) throws(PersistencyError) -> StoreState {
        if added.isEmpty { return self }
        var filled = StoreState(schemas: schemas, sequence: sequence)
        for schema in schemas.roots {
            for root in try table.table(of: schema).roots {
                let root = try added.filled(root)
                do throws(PersistencyError) {
                    try filled.restore(root)
                } catch {
                    throw .incompatible("a new derived column of \(schema.name) cannot be filled: \(error)")
                }
            }
        }
        return filled
    }
}
