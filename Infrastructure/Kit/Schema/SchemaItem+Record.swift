package import LarderData

/// The form in which a store records an item: a value for each field.
extension SchemaItem {
    /// The names and types of the fields. The default has the type of the column.
    package static let fields: [(name: String, type: ColumnType?)] = [
        ("entity", .text), ("kind", .text), ("name", .text), ("owner", .text), ("type", .text),
        ("is_nullable", .boolean), ("is_derived", .boolean), ("target", .text), ("on_delete", .text),
        ("is_owning", .boolean), ("default_value", nil),
    ]

    package var values: [Value] {
        func text(_ text: String?) -> Value { text.map(Value.text) ?? .null }
        func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
        return [
            .text(entity), .text(kind.rawValue), .text(name), text(owner), text(typeName), flag(isNullable),
            flag(isDerived), text(reference?.target), text(reference?.onDelete.rawValue),
            flag(reference?.isOwning ?? false), defaultValue ?? .null,
        ]
    }

    /// - Returns: `nil` for values that no version of this program has written.
    package init?(_ values: [Value]) {
        func text(_ field: Int) -> String? { if case .text(let text) = values[field] { text } else { nil } }
        guard values.count == Self.fields.count, let entity = text(0), let kind = text(1).flatMap(Kind.init),
            let name = text(2)
        else { return nil }
        self.init(entity: entity, kind: kind, name: name)
        owner = text(3)
        if let named = text(4).flatMap(ColumnType.named) { (type, scale) = named }
        isNullable = values[5] == .integer(1)
        isDerived = values[6] == .integer(1)
        if let target = text(7), let rule = text(8).flatMap(DeleteRule.init) {
            reference = Reference(target: target, onDelete: rule, isOwning: values[9] == .integer(1))
        }
        guard (type != nil) == (kind == .column) else { return nil }
        let isDefault = values[10] == .null || type?.accepts(values[10]) == true
        guard isDefault, text(7) == nil || reference != nil else { return nil }
        defaultValue = values[10] == .null ? nil : values[10]
    }
}
