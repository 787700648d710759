import LarderData
import LarderInfrastructure
import Synchronization

/// A cipher that detects every change with a tag of 64 bits, without cryptography: its hashes are those of the standard
/// library. Keys, contexts and hashes are valid within one process.
struct FakeCipher: Cipher {
    let key: String
    /// Whether each seal differs, as those of a real cipher do. Without this, equal disks remain equal.
    var hasNonces = true

    var overhead: Int { 16 }

    private static let nonces = Atomic<UInt64>(0)

    func seal(_ bytes: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
        let nonce = hasNonces ? Self.nonces.add(1, ordering: .relaxed).newValue : 0
        return Self.bytes(nonce) + stream(bytes, nonce) + Self.bytes(tag(bytes, context, nonce))
    }

    func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
        guard sealed.count >= overhead else { throw CipherError("too short") }
        let nonce = Self.number(sealed.prefix(8))
        let plain = stream(Array(sealed.dropFirst(8).dropLast(8)), nonce)
        guard tag(plain, context, nonce) == Self.number(sealed.suffix(8)) else { throw CipherError("another tag") }
        return plain
    }

    func hash(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        (0..<4).flatMap { Self.bytes(tag(bytes, context, $0)) }
    }

    private func tag(_ bytes: [UInt8], _ context: [UInt8], _ nonce: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(nonce)
        hasher.combine(context)
        hasher.combine(bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private func stream(_ bytes: [UInt8], _ nonce: UInt64) -> [UInt8] {
        var result = bytes
        for start in stride(from: 0, to: bytes.count, by: 8) {
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(nonce)
            hasher.combine(start)
            let block = hasher.finalize()
            for index in start..<min(start + 8, bytes.count) {
                result[index] ^= UInt8(truncatingIfNeeded: block >> ((index - start) * 8))
            }
        }
        return result
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// A derivation that uses the passphrase and the salt as the key.
struct FakeDerivation: KeyDerivation {
    private static let salts = Atomic<UInt64>(0)

    var hasNonces = true

    func newParameters() -> [UInt8] {
        [1] + (hasNonces ? Array("salt \(Self.salts.add(1, ordering: .relaxed).newValue)".utf8) : [])
    }

    func cipher(for passphrase: Passphrase, _ parameters: [UInt8]) throws(CipherError) -> any Cipher {
        guard parameters.first == 1 else { throw CipherError("the derivation \(parameters.first ?? 0) is unknown") }
        return FakeCipher(key: "\(passphrase.bytes) \(parameters)", hasNonces: hasNonces)
    }
}

extension FileStore.Sealing {
    static func fake(_ text: String, hasNonces: Bool = true) throws -> Self {
        FileStore.Sealing(try Passphrase(text), FakeDerivation(hasNonces: hasNonces))
    }
}
