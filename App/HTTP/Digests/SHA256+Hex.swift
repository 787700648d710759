public import Crypto
internal import LarderDomain

extension SHA256 {
    /// The digest as 64 lower-case hexadecimal digits, for content addressing.
    ///
    /// - Complexity: O(*n*).
    public static func hexDigest(of bytes: [UInt8]) -> String {
        hash(data: bytes).hexadecimal
    }
}
