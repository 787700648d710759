internal import HTTPTypes

extension HTTPFields {
    /// The value of a field, as of the subscript, which takes three times as long for a field of one line.
    func value(_ name: HTTPField.Name) -> String? {
        guard contains(name) else { return nil }
        var lines = self[fields: name].makeIterator()
        guard let first = lines.next() else { return nil }
        return lines.next() == nil ? first.value : self[name]
    }
}
