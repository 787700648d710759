/// Authenticated encryption under one key, and a keyed hash under a key derived from it.
///
/// The layers below App have no implementation: they depend on no package, and cryptography is not written twice.
public protocol Cipher: Sendable {
    /// The number of bytes that ``seal(_:boundTo:)`` adds: nonce and authentication tag.
    var overhead: Int { get }

    /// Encrypts bytes with a new random nonce. Only ``open(_:boundTo:)`` with the same key and context restores them.
    func seal(_ bytes: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8]

    /// Decrypts bytes.
    ///
    /// - Throws: `CipherError` if the bytes were sealed with another key or context, or have changed since.
    func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8]

    /// A keyed hash of 32 bytes: equal for equal bytes and contexts, and unpredictable without the key.
    func hash(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8]
}

/// A text that cannot be sealed or opened. It contains neither keys nor contents.
public struct CipherError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    /// Creates an error from a message without keys and contents.
    public init(_ description: String) {
        self.description = description
    }
}
