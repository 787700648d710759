extension String {
    /// The text without white space at its ends; `nil` if it is blank.
    public var trimmed: String? {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
            let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
        else { return nil }
        if first == startIndex, unicodeScalars.index(after: last) == endIndex { return self }
        return String(unicodeScalars[first...last])
    }
}
