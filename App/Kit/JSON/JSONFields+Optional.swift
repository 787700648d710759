public import LarderDomain

extension JSONFields {
    /// An optional text.
    public mutating func string(_ name: String) -> String? {
        guard let json = self[name] else { return nil }
        if case .string(let text) = json { return text }
        note(name, "must be a string")
        return nil
    }

    /// An optional integer. `1.0` and `1e2` are not integers.
    public mutating func integer(_ name: String) -> Int? {
        switch self[name] {
        case .integer(let value): return Int(value)
        case .number(let value) where value.magnitude >= 0x1p63: note(name, "must be an integer of at most 64 bits")
        case .number, .decimal: note(name, "must be an integer, without fraction or exponent")
        case nil: break
        default: note(name, "must be an integer")
        }
        return nil
    }

    /// An optional number.
    public mutating func number(_ name: String) -> Double? {
        read(name, "must be a number") { $0.double }
    }

    /// An optional number of up to 64 bits with at most nine digits after the point, as it was written: it is never
    /// rounded, and has no exponent.
    public mutating func decimal(_ name: String) -> ExactDecimal? {
        read(name, "must be a number with at most nine digits after the point, without exponent") { value in
            switch value {
            case .integer(let integer): ExactDecimal(units: integer, scale: 0)
            case .decimal(let decimal): decimal
            default: nil
            }
        }
    }

    /// An optional Boolean.
    public mutating func bool(_ name: String) -> Bool? {
        read(name, "must be true or false") { value in
            if case .bool(let bool) = value { bool } else { nil }
        }
    }

    /// An optional id of an entity.
    public mutating func id<E>(_ name: String, of entity: E.Type = E.self) -> EntityID<E>? {
        // Generic code that is not specialized asks for the metadata of each type.
        guard let id = parsed(name, Self.mustBeID, { RawID($0) }) else { return nil }
        return EntityID(id)
    }

    /// An optional text, converted by a closure; `expected` is noted if the closure rejects it, or if it is not text:
    /// `must be a date, such as 2026-03-01`.
    public mutating func parsed<Value>(
        _ name: String, _ expected: String, _ parse: (String) -> Value?
    ) -> Value? {
        read(name, expected) { $0.text.flatMap(parse) }
    }

    /// An optional object, read by a closure.
    public mutating func object<Value>(_ name: String, _ read: (inout JSONFields) -> Value?) -> Value? {
        self[name].flatMap { element($0, at: JSONPointer.to(name, in: pointer), read) }
    }

    /// Calls a reader with a value; notes an error if the reader rejects it.
    private mutating func read<Value>(
        _ name: String, _ expected: String, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let json = self[name] else { return nil }
        if let value = read(json) { return value }
        note(name, expected)
        return nil
    }

    /// Reads a nested object, and adopts its errors.
    mutating func element<Value>(
        _ json: JSON, at pointer: String, _ read: (inout JSONFields) -> Value?
    ) -> Value? {
        var fields = JSONFields(json, at: pointer)
        let value = fields.isObject ? read(&fields) : nil
        note(fields.errors)
        if fields.hasMore { hasMore = true }
        return value
    }

    static let mustBeID = "must be an id, such as 0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87"
}

extension JSON {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
