public import LarderDomain

/// The access of a ``MigrationStep`` to the store during a migration.
public protocol MigrationContext {
    /// The object in the step's new shape: with the values of the common members, and otherwise defaults, `null`, and
    /// empty lists.
    func reshaped(_ old: StorageObject) -> StorageObject

    /// A new object of another root schema, with a new id, version 1, and defaults for all values that are not given.
    ///
    /// - Throws: `unknownEntity`, or `incompatible` for an unknown column.
    func newObject(of entity: String, _ values: [String: Value]) throws(PersistencyError) -> StorageObject

    /// Inserts a root of a schema other than that of the step.
    ///
    /// - Throws: `incompatible` for an object that its schema does not permit; `duplicate` for an id that is stored.
    func insert(_ object: StorageObject) throws(PersistencyError)

    /// The id of the root with these unique values, including inserted ones.
    ///
    /// - Parameters:
    ///   - entity: The name of the schema.
    ///   - values: Exactly the columns of a unique group.
    /// - Throws: `incompatible` for columns that are not a unique group of a schema other than that of the step.
    /// - Complexity: O(log *n*).
    func id(of entity: String, where values: [String: Value]) throws(PersistencyError) -> RawID?

    /// Whether a root of another schema than that of the step is stored.
    ///
    /// - Complexity: O(log *n*).
    func contains(_ id: RawID, of entity: String) throws(PersistencyError) -> Bool
}

/// Access to the values of an object by the names of its columns, for migrations.
extension StorageObject {
    /// A value.
    ///
    /// - Throws: `incompatible` for an unknown column.
    public func value(_ column: String) throws(PersistencyError) -> Value { values[try index(of: column)] }

    /// A text; an empty one for `null`.
    ///
    /// - Throws: `incompatible` for an unknown column, or one of another type.
    public func text(_ column: String) throws(PersistencyError) -> String {
        switch try value(column) {
        case .text(let text): return text
        case .null: return ""
        default: throw .incompatible("\(schema.name).\(column) is not a text")
        }
    }

    /// An integer, a Boolean (0 or 1) or an instant (microseconds since 1970); `nil` for `null`.
    ///
    /// - Throws: `incompatible` for an unknown column, or one of another type.
    public func integer(_ column: String) throws(PersistencyError) -> Int64? {
        switch try value(column) {
        case .integer(let integer): return integer
        case .null: return nil
        default: throw .incompatible("\(schema.name).\(column) is not an integer")
        }
    }

    /// Sets a value.
    ///
    /// - Throws: `incompatible` for an unknown column, or a value of another type.
    public mutating func set(_ column: String, _ value: Value) throws(PersistencyError) {
        let index = try index(of: column)
        guard schema.columns[index].accepts(value) else {
            throw .incompatible("\(schema.name).\(column) does not permit \(value)")
        }
        values[index] = value
    }

    private func index(of column: String) throws(PersistencyError) -> Int {
        guard let index = schema.index(ofColumn: column) else {
            throw .incompatible("\(schema.name) has no column \(column)")
        }
        return index
    }
}
