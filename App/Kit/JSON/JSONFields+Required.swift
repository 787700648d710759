public import LarderDomain

/// Readers of required members: they return `nil` only after noting an error.
extension JSONFields {
    /// A text.
    public mutating func requiredString(_ name: String) -> String? {
        require(name)
        return string(name)
    }

    /// An integer. `1.0` and `1e2` are not integers.
    public mutating func requiredInteger(_ name: String) -> Int? {
        require(name)
        return integer(name)
    }

    /// A number.
    public mutating func requiredNumber(_ name: String) -> Double? {
        require(name)
        return number(name)
    }

    /// A number of up to 64 bits with at most nine digits after the point, as it was written.
    public mutating func requiredDecimal(_ name: String) -> ExactDecimal? {
        require(name)
        return decimal(name)
    }

    /// A Boolean.
    public mutating func requiredBool(_ name: String) -> Bool? {
        require(name)
        return bool(name)
    }

    /// An id of an entity.
    public mutating func requiredID<E>(_ name: String, of entity: E.Type = E.self) -> EntityID<E>? {
        require(name)
        return id(name)
    }

    /// A text, converted by a closure; see ``parsed(_:_:_:)``.
    public mutating func requiredParsed<Value>(
        _ name: String, _ expected: String, _ parse: (String) -> Value?
    ) -> Value? {
        require(name)
        return parsed(name, expected, parse)
    }

    /// An object, read by a closure.
    public mutating func requiredObject<Value>(
        _ name: String, _ read: (inout JSONFields) -> Value?
    ) -> Value? {
        require(name)
        return object(name, read)
    }

    /// A list of objects, each read by a closure; see ``objects(_:_:)``.
    public mutating func requiredObjects<Element>(
        _ name: String, _ read: (inout JSONFields) -> Element?
    ) -> [Element]? {
        require(name)
        return objects(name, read)
    }

    /// A list of texts.
    public mutating func requiredStrings(_ name: String) -> [String]? {
        require(name)
        return strings(name)
    }

    /// A list of ids.
    public mutating func requiredIDs<E>(_ name: String, of entity: E.Type = E.self) -> [EntityID<E>]? {
        require(name)
        return ids(name)
    }
}
