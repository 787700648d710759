extension ReadRequest {
    /// A hash that identifies the query: 64-bit FNV-1a over schema, condition and order, without the page size.
    ///
    /// Stable across processes, unlike `Hasher`. It detects mistakes, not attacks.
    var fingerprint: UInt64 {
        let terms = order.map { "\($0.operand) \($0.isDescending)" }
        return "\(schema.name) \(condition) \(terms)".utf8.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
    }
}
