public import LarderDomain

extension JSONFields {
    /// What a closure reads from each object of a list, which may be absent. An element that it makes nothing of is
    /// left out; the closure notes why.
    public mutating func objects<Element>(
        _ name: String, _ read: (inout JSONFields) -> Element?
    ) -> [Element]? {
        elements(name) { fields, json, pointer in fields.element(json, at: pointer, read) }
    }

    /// A list of texts, which may be absent.
    public mutating func strings(_ name: String) -> [String]? {
        parsedList(name, "must be a string") { $0 }
    }

    /// A list of ids, which may be absent.
    public mutating func ids<E>(_ name: String, of entity: E.Type = E.self) -> [EntityID<E>]? {
        parsedList(name, Self.mustBeID, EntityID<E>.init)
    }

    /// What a closure makes of each text of a list, which may be absent; `expected` is noted for each of which it makes
    /// nothing, and for what is no text.
    public mutating func parsedList<Element>(
        _ name: String, _ expected: String, _ parse: (String) -> Element?
    ) -> [Element]? {
        elements(name) { fields, json, pointer in
            if let value = json.text.flatMap(parse) { return value }
            fields.note([FieldError(pointer: pointer, detail: expected)])
            return nil
        }
    }

    /// Gives each element of a list to a reader, with its pointer.
    private mutating func elements<Element>(
        _ name: String, _ read: (inout JSONFields, JSON, String) -> Element?
    ) -> [Element]? {
        guard let json = self[name] else { return nil }
        guard case .array(let elements) = json else {
            note(name, "must be a list")
            return nil
        }
        let list = JSONPointer.to(name, in: pointer)
        return elements.enumerated().compactMap { index, element in
            read(&self, element, JSONPointer.to(index, in: list))
        }
    }
}
