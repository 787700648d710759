extension ReadRequest {
    /// A number by which the query is recognised: FNV-1a, 64 bits, over what it asks and in which order. How many roots a
    /// page has does not matter.
    ///
    /// The same in every process, unlike `Hasher`'s; it keeps mistakes apart, not attackers.
    var fingerprint: UInt64 {
        let terms = order.map { "\($0.operand) \($0.isDescending)" }
        return "\(schema.name) \(condition) \(terms)".utf8.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
    }
}
