/// A range of IP addresses: `10.0.0.0/8`, `2001:db8::/32`, or one address.
public struct AddressRange: Sendable, Equatable {
    private let start: UInt128
    /// The number of bits that all addresses of the range share.
    private let bits: UInt128

    /// Parses a range; `nil` if the text is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = ClientAddress(text: parts[0]) else { return nil }
        let most: UInt128 = parts[0].contains(":") ? 128 : 32
        guard let bits = parts.count == 1 ? most : UInt128(parts[1]), bits <= most else { return nil }
        (start, self.bits) = (address.bits, bits + 128 - most)
    }

    func contains(_ address: ClientAddress) -> Bool { (start ^ address.bits) >> (128 - bits) == 0 }
}
