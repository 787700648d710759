internal import LarderData
internal import LarderDomain

extension StoreState {
    /// The state with all added derived columns computed.
    ///
    /// - Throws: `incompatible` if a root cannot be mapped to an entity, or two roots would share a unique value.
    func filling(_ added: AddedDerivations) throws(PersistencyError) -> StoreState {
        if added.isEmpty { return self }
        var filled = StoreState(schemas: schemas, sequence: sequence)
        for schema in schemas.roots {
            for root in tables[schema.name]?.chunks.joined() ?? [].joined() {
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
