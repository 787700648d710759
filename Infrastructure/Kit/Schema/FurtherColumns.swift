internal import LarderData

/// Columns that a log has and the program does not know, because a later version of the program has added them. In the
/// program's objects their values follow those of the schema; a new object does not have them until it is written.
struct FurtherColumns: Sendable {
    private(set) var items: [SchemaItem] = []
    /// The defaults, by the names of schemas.
    private(set) var defaults: [String: [Value]] = [:]

    /// No columns.
    init() {}

    /// The recorded columns that the schemas do not have, if a row can do without a value for them. Derived columns and
    /// references are not among them: the program would not keep them up to date.
    init(of recorded: [SchemaItem], unknownTo schemas: SchemaSet) {
        for item in recorded where item.kind == .column && !item.declaration.contains(" ") {
            guard let schema = schemas[item.entity], schema.index(ofColumn: item.name) == nil,
                let value = item.defaultValue ?? (item.declaration.hasSuffix("?") ? .null : nil)
            else { continue }
            items.append(item)
            defaults[item.entity, default: []].append(value)
        }
    }

    /// The values of further columns that a new object does not have.
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
