/// Checks the fields of an entity or a value object in its initializer. Errors name the type and the field.
public struct FieldCheck: Sendable {
    /// Its name is computed for an error only: that takes longer than all checks.
    private let type: Any.Type
    private let limits: TextLimits

    /// Checks the fields of an entity type.
    ///
    /// - Parameters:
    ///   - type: The type, which errors name.
    ///   - limits: `.stored` for texts that a store returned.
    public init(_ type: any Entity.Type, _ limits: TextLimits = .current) {
        (self.type, self.limits) = (type, limits)
    }

    /// Checks the fields of a value object. The resource and the mapper of its entity add the path to an error.
    ///
    /// - Parameters:
    ///   - type: The type, which errors name.
    ///   - limits: `.stored` for texts that a store returned.
    public init(valueObject type: Any.Type, _ limits: TextLimits = .current) {
        (self.type, self.limits) = (type, limits)
    }

    /// A text that is not blank, in normalization form C and without white space at its ends.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - field: The name of the field in errors.
    ///   - limit: The maximum number of code points, white space at the ends included.
    public func text(_ value: String, _ field: String, atMost limit: Int) throws(InvalidField) -> String {
        let value = try limited(value, field, atMost: limit)
        guard let text = value.trimmed else {
            throw refusal(field, value.isEmpty ? "must have 1 to \(limit) characters" : "must not be blank")
        }
        guard !text.containsNUL else { throw refusal(field, "must not contain U+0000") }
        return text
    }

    private func limited(_ value: String, _ field: String, atMost limit: Int) throws(InvalidField) -> String {
        do throws(TextRefusal) {
            switch limits {
            case .current: return try value.composed(atMost: limit)
            case .stored:
                // A character has at least one byte, so a short text need not be counted.
                guard value.utf8.count <= limit || value.count <= limit else { throw TextRefusal.tooLong(limit: limit) }
                return value
            }
        } catch {
            if case .tooLong = error { throw refusal(field, "must have 1 to \(limit) characters") }
            throw refusal(field, error.description)
        }
    }

    /// A text that may be absent, but not blank.
    public func text(_ value: String?, _ field: String, atMost limit: Int) throws(InvalidField) -> String? {
        guard let value else { return nil }
        let text: String = try text(value, field, atMost: limit)
        return text
    }

    /// Checks that an integer, if present, is in a range.
    public func number(_ value: Int?, _ field: String, in range: ClosedRange<Int>) throws(InvalidField) {
        guard let value, !range.contains(value) else { return }
        throw refusal(field, "must be \(range.lowerBound) to \(range.upperBound)")
    }

    /// Checks that a number, if present, is finite and has a minimum.
    public func number(_ value: Double?, _ field: String, atLeast least: Int) throws(InvalidField) {
        guard let value, !value.isFinite || value < Double(least) else { return }
        throw refusal(field, "must be a finite number of at least \(least)")
    }

    /// A decimal of at least a minimum, with the scale of its column: as a store returns it.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - field: The name of the field in errors.
    ///   - scale: The digits after the point.
    ///   - least: The minimum.
    /// - Throws: `InvalidField` for a smaller number, more digits after the point, or a number beyond 64 bits of units.
    public func decimal(
        _ value: ExactDecimal, _ field: String, scale: Int, atLeast least: ExactDecimal
    ) throws(InvalidField) -> ExactDecimal {
        guard value >= least else { throw refusal(field, "must be at least \(least)") }
        guard let value = value.rescaled(to: scale) else {
            throw refusal(field, "must have at most \(scale) digits after the point, and \(18 - scale) before it")
        }
        return value
    }

    /// A decimal that may be absent; see above.
    public func decimal(
        _ value: ExactDecimal?, _ field: String, scale: Int, atLeast least: ExactDecimal
    ) throws(InvalidField) -> ExactDecimal? {
        guard let value else { return nil }
        let decimal: ExactDecimal = try decimal(value, field, scale: scale, atLeast: least)
        return decimal
    }

    /// Checks that a list has a maximum length and no duplicates.
    ///
    /// - Complexity: O(*n*).
    @inlinable
    public func distinct<ID: Hashable>(_ ids: [ID], _ field: String, atMost limit: Int) throws(InvalidField) {
        guard ids.count <= limit else { throw refusal(field, "must have at most \(limit) entries") }
        guard ids.count < 2 || Set(ids).count == ids.count else { throw refusal(field, "must not have duplicates") }
    }

    /// The error for a rule of your own.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - reason: The violated rule, as a predicate of the field: "must be in the past".
    public func refusal(_ field: String, _ reason: String) -> InvalidField {
        let name = (type as? any Entity.Type)?.entityName ?? entityName(of: type)
        return InvalidField(entity: name, field: field, reason: reason)
    }
}
