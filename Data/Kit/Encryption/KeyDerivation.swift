/// Derives, from a passphrase, the cipher that seals a store as a whole. App supplies the algorithm.
public protocol KeyDerivation: Sendable {
    /// The parameters for a new store: the algorithm, its cost, and a new random salt; at most 64 bytes. A store contains
    /// them in plain form.
    func newParameters() -> [UInt8]

    /// Derives the cipher. Takes a noticeable time, so that guesses are expensive.
    ///
    /// - Throws: `CipherError` for parameters that are not of this algorithm, or exceed its limits of time and memory.
    func cipher(for passphrase: Passphrase, _ parameters: [UInt8]) throws(CipherError) -> any Cipher
}
