internal import LarderData

/// Columns in a log that the program does not know, because a later version of the program has added them. Their values
/// follow those of the schema in each object; a new object lacks them until it is written.
struct FurtherColumns: Sendable {
    let items: [SchemaItem]
    /// The defaults, by the name of the schema.
    private let defaults: [String: [Value]]

    /// - Parameter items: Columns that can stay unknown.
    init(_ items: [SchemaItem] = []) {
        self.items = items
        defaults = Dictionary(grouping: items, by: \.entity).mapValues { $0.map { $0.defaultValue ?? .null } }
    }

    /// The defaults of further columns that an object lacks.
    func missing(in object: StorageObject) -> ArraySlice<Value> {
        if items.isEmpty { return [] }
        return (defaults[object.schema.name] ?? []).dropFirst(object.values.count - object.schema.columns.count)
    }
}

extension StorageObject {
    /// The object without the values of further columns.
    var declared: StorageObject {
        var object = self
        object.values.removeLast(values.count - schema.columns.count)
        object.children = children.map { $0.map(\.declared) }
        return object
    }
}
