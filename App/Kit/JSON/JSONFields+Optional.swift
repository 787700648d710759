public import LarderDomain

extension JSONFields {
    /// A text, which may be absent.
    public mutating func string(_ name: String) -> String? {
        read(name, "must be a string", \.text)
    }

    /// An integer, which may be absent. `1.0` and `1e2` are none.
    public mutating func integer(_ name: String) -> Int? {
        switch self[name] {
        case .integer(let value): return Int(value)
        case .number(let value) where value.magnitude >= 0x1p63: note(name, "must be an integer of at most 64 bits")
        case .number: note(name, "must be an integer, without fraction or exponent")
        case nil: break
        default: note(name, "must be an integer")
        }
        return nil
    }

    /// A number, which may be absent.
    public mutating func number(_ name: String) -> Double? {
        read(name, "must be a number") { value in
            switch value {
            case .integer(let integer): Double(integer)
            case .number(let number): number
            default: nil
            }
        }
    }

    /// A truth value, which may be absent.
    public mutating func bool(_ name: String) -> Bool? {
        read(name, "must be true or false") { value in
            if case .bool(let bool) = value { bool } else { nil }
        }
    }

    /// The id of an entity, which may be absent.
    public mutating func id<E>(_ name: String, of entity: E.Type = E.self) -> EntityID<E>? {
        parsed(name, Self.mustBeID, EntityID<E>.init)
    }

    /// What a closure makes of a text, which may be absent; `expected` is noted when it makes nothing, and for what is
    /// no text: `must be a date, such as 2026-03-01`.
    public mutating func parsed<Value>(
        _ name: String, _ expected: String, _ parse: (String) -> Value?
    ) -> Value? {
        read(name, expected) { $0.text.flatMap(parse) }
    }

    /// What a closure reads from an object, which may be absent.
    public mutating func object<Value>(_ name: String, _ read: (inout JSONFields) -> Value?) -> Value? {
        self[name].flatMap { element($0, at: JSONPointer.to(name, in: pointer), read) }
    }

    /// Gives a value to a reader; notes when it makes nothing of it.
    private mutating func read<Value>(
        _ name: String, _ expected: String, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let json = self[name] else { return nil }
        if let value = read(json) { return value }
        note(name, expected)
        return nil
    }

    /// Reads an object below, and takes over what was noted there.
    mutating func element<Value>(
        _ json: JSON, at pointer: String, _ read: (inout JSONFields) -> Value?
    ) -> Value? {
        var fields = JSONFields(json, at: pointer)
        let value = fields.isObject ? read(&fields) : nil
        note(fields.errors)
        return value
    }

    static let mustBeID = "must be an id, such as 0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87"
}

extension JSON {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
