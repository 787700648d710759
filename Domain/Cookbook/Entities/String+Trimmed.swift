extension String {
    /// The text without blanks at its ends, which entities keep none of; `nil` when nothing is left.
    public var trimmed: String? {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
            let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
        else { return nil }
        if first == startIndex, unicodeScalars.index(after: last) == endIndex { return self }
        return String(unicodeScalars[first...last])
    }
}
