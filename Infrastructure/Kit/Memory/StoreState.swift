internal import LarderData
internal import LarderDomain

/// The state of a store in memory.
typealias StoreState = ObjectState<RootTables>

extension StoreState {
    init(schemas: SchemaSet, sequence: Int64 = 0) {
        self.init(schemas: schemas, table: RootTables(schemas), sequence: sequence)
    }
}
