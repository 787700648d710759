internal import Crypto
public import LarderData
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The port `Cipher` with AES-256-GCM and HMAC-SHA256, under two keys that HKDF-SHA256 derives from one.
///
/// A nonce is 96 random bits. Replace a key before it has encrypted 2^32 values, at which a repeated nonce has a
/// probability of 2^-33.
public struct AESCipher: Cipher {
    /// The length of a key in bytes.
    public static let keySize = 32

    private let encryption: SymmetricKey
    private let hashing: SymmetricKey

    /// - Parameter key: 32 random bytes.
    public init(key: [UInt8]) throws(CipherError) {
        guard key.count == Self.keySize else {
            throw CipherError("a key must have \(Self.keySize) bytes, and has \(key.count)")
        }
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), info: Array(purpose.utf8), outputByteCount: Self.keySize)
        }
        (encryption, hashing) = (derived("sealed values"), derived("hashes of sealed values"))
    }

    /// 12 bytes of nonce and 16 of tag.
    public var overhead: Int { 28 }

    public func seal(_ bytes: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
        guard let sealed = try? AES.GCM.seal(bytes, using: encryption, authenticating: context).combined else {
            throw CipherError("the encryption failed")
        }
        return unsafe sealed.withUnsafeBytes { unsafe Array($0) }
    }

    public func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            let bytes = try AES.GCM.open(box, using: encryption, authenticating: context)
            return unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        } catch {
            throw CipherError("the authentication failed")
        }
    }

    public func hash(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        var hmac = HMAC<SHA256>(key: hashing)
        // The length separates the context from the bytes.
        hmac.update(data: (0..<8).map { UInt8(truncatingIfNeeded: context.count >> (8 * $0)) })
        hmac.update(data: context)
        hmac.update(data: bytes)
        return Array(hmac.finalize())
    }
}
