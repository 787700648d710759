extension String {
    /// The text without white space at its ends; `nil` if it is blank.
    public var trimmed: String? {
        // Most texts have visible ASCII characters at both ends, and the properties of a scalar take much longer.
        if let first = utf8.first, let last = utf8.last, min(first, last) > 32, max(first, last) < 127 { return self }
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
            let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
        else { return nil }
        if first == startIndex, unicodeScalars.index(after: last) == endIndex { return self }
        return String(unicodeScalars[first...last])
    }
}
