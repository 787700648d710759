internal import LarderData

extension SchemaItem {
    /// Reads an item of the first formats, which declared it by a text such as `text? derived` or `id -> book, refuse`.
    init?(entity: String, kind: String, name: String, text: String) {
        guard let kind = Kind(rawValue: kind) else { return nil }
        self.init(entity: entity, kind: kind, name: kind == .entity ? "" : name)
        if kind == .entity, name != "root" { owner = String(name.dropFirst("in ".count)) }
        var text = text[...]
        if let arrow = text.firstRange(of: "-> ") {
            let parts = text[arrow.upperBound...].split(separator: ", ").map(String.init)
            guard parts.count >= 2, let rule = DeleteRule(rawValue: parts[1]) else { return nil }
            reference = Reference(target: parts[0], onDelete: rule, isOwning: parts.count > 2)
            text = text[..<arrow.lowerBound]
        }
        guard kind == .column else { return }
        let words = text.split(separator: " ")
        guard let first = words.first else { return nil }
        (isNullable, isDerived) = (first.hasSuffix("?"), words.count > 1)
        type = ColumnType(rawValue: String(isNullable ? first.dropLast() : first))
        if type == nil { return nil }
    }
}
