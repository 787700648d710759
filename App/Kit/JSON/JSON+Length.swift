extension JSON {
    /// Whether the compact text is longer than a number of bytes, as an estimate: numbers and escapes are not counted
    /// exactly.
    ///
    /// - Complexity: O(*n*) for the number of values, at most `bytes`.
    public func isLonger(than bytes: Int) -> Bool {
        var left = bytes
        return !fits(&left)
    }

    private func fits(_ left: inout Int) -> Bool {
        switch self {
        case .null, .bool, .integer, .number: left -= 4
        case .string(let text): left -= text.utf8.count + 2
        case .array(let elements):
            left -= 2
            for element in elements { guard element.fits(&left) else { return false } }
        case .object(let members):
            left -= 2
            for member in members {
                left -= member.name.utf8.count + 4
                guard member.value.fits(&left) else { return false }
            }
        }
        return left >= 0
    }
}
