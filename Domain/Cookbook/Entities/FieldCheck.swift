internal import LarderDomain

/// Checks the fields of one entity, and names entity and field in what it throws.
struct FieldCheck {
    /// Named only when something is refused: to make the name costs more than all checks.
    private let entity: any Entity.Type
    private let limits: TextLimits

    init(_ type: any Entity.Type, _ limits: TextLimits = .current) {
        entity = type
        self.limits = limits
    }

    /// A text of so many characters, blanks included, that is not blank; in normalization form C and without blanks at
    /// its ends, because nobody sees them.
    func text(_ value: String, _ field: String, atMost limit: Int) throws(InvalidField) -> String {
        let value = try limited(value, field, atMost: limit)
        guard let text = value.trimmed else {
            throw refusal(field, value.isEmpty ? "must have 1 to \(limit) characters" : "must not be blank")
        }
        guard !text.utf8.contains(0) else { throw refusal(field, "must not contain U+0000") }
        return text
    }

    private func limited(_ value: String, _ field: String, atMost limit: Int) throws(InvalidField) -> String {
        do throws(TextRefusal) {
            switch limits {
            case .current: return try value.composed(atMost: limit)
            case .stored:
                // A character has at least one byte, so that a short text is never counted.
                guard value.utf8.count <= limit || value.count <= limit else { throw TextRefusal.tooLong(limit: limit) }
                return value
            }
        } catch {
            if case .tooLong = error { throw refusal(field, "must have 1 to \(limit) characters") }
            throw refusal(field, error.description)
        }
    }

    /// A text that may be missing, but not blank.
    func text(_ value: String?, _ field: String, atMost limit: Int) throws(InvalidField) -> String? {
        guard let value else { return nil }
        let text: String = try text(value, field, atMost: limit)
        return text
    }

    /// A whole number within a range.
    func number(_ value: Int?, _ field: String, in range: ClosedRange<Int>) throws(InvalidField) {
        guard let value, !range.contains(value) else { return }
        throw refusal(field, "must be \(range.lowerBound) to \(range.upperBound)")
    }

    /// A list that is not too long and has nothing twice.
    func distinct<ID: Hashable>(_ ids: [ID], _ field: String, atMost limit: Int) throws(InvalidField) {
        guard ids.count <= limit else { throw refusal(field, "must have at most \(limit) entries") }
        guard ids.count < 2 || Set(ids).count == ids.count else { throw refusal(field, "must not have an entry twice") }
    }

    func refusal(_ field: String, _ reason: String) -> InvalidField {
        InvalidField(entity: entity.entityName, field: field, reason: reason)
    }
}
