public import LarderDomain

extension JSONFields {
    /// An optional list of objects, each read by a closure. Elements for which the closure returns `nil` are omitted;
    /// the closure notes the reason.
    public mutating func objects<Element>(
        _ name: String, _ read: (inout JSONFields) -> Element?
    ) -> [Element]? {
        elements(name) { fields, json, pointer in fields.element(json, at: pointer, read) }
    }

    /// An optional list of texts.
    public mutating func strings(_ name: String) -> [String]? {
        parsedList(name, "must be a string") { $0 }
    }

    /// An optional list of ids.
    public mutating func ids<E>(_ name: String, of entity: E.Type = E.self) -> [EntityID<E>]? {
        parsedList(name, Self.mustBeID) { RawID($0) }?.map { EntityID($0) }
    }

    /// An optional list of texts, each converted by a closure; `expected` is noted for each text that the closure
    /// rejects, and for each element that is not text.
    public mutating func parsedList<Element>(
        _ name: String, _ expected: String, _ parse: (String) -> Element?
    ) -> [Element]? {
        elements(name) { fields, json, pointer in
            if let value = json.text.flatMap(parse) { return value }
            fields.note([FieldError(pointer: pointer, detail: expected)])
            return nil
        }
    }

    /// Calls a reader with each element of a list and its pointer.
    private mutating func elements<Element>(
        _ name: String, _ read: (inout JSONFields, JSON, String) -> Element?
    ) -> [Element]? {
        guard let json = self[name] else { return nil }
        guard case .array(let elements) = json else {
            note(name, "must be a list")
            return nil
        }
        let list = JSONPointer.to(name, in: pointer)
        var values: [Element] = []
        for (index, element) in elements.enumerated() {
            guard !hasMore else { break }
            if let value = read(&self, element, JSONPointer.to(index, in: list)) { values.append(value) }
        }
        return values
    }
}
