internal import LarderData

/// Columns in a log that the program does not know, because a later version of the program has added them. Their values
/// follow those of the schema in each object; a new object lacks them until it is written.
struct FurtherColumns: Sendable {
    private(set) var items: [SchemaItem] = []
    /// The defaults, by the name of the schema.
    private(set) var defaults: [String: [Value]] = [:]

    /// No columns.
    init() {}

    /// The recorded columns that are unknown to the schemas and are nullable or have a default.
    init(of recorded: [SchemaItem], unknownTo schemas: SchemaSet) {
        for item in recorded where item.isUnknownColumn(to: schemas) {
            guard let value = item.defaultValue ?? (item.isNullable ? .null : nil) else { continue }
            items.append(item)
            defaults[item.entity, default: []].append(value)
        }
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
