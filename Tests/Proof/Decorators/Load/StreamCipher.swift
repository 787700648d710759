import LarderData

/// A cipher with equal keys in all processes, without cryptography: it hides a text from a search only.
struct StreamCipher: Cipher {
    let key: UInt64

    var overhead: Int { 16 }

    func seal(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        let nonce = UInt64.random(in: .min ... .max)
        return Self.bytes(nonce) + stream(bytes, nonce) + Self.bytes(tag(context + bytes, nonce))
    }

    func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
        guard sealed.count >= overhead else { throw CipherError("too short") }
        let nonce = sealed.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let plain = stream(Array(sealed.dropFirst(8).dropLast(8)), nonce)
        guard Self.bytes(tag(context + plain, nonce)) == Array(sealed.suffix(8)) else {
            throw CipherError("another tag")
        }
        return plain
    }

    func hash(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8] {
        (0..<4).flatMap { Self.bytes(tag(context + bytes, $0)) }
    }

    private func stream(_ bytes: [UInt8], _ nonce: UInt64) -> [UInt8] {
        var generator = Self.mixed(key ^ nonce)
        return bytes.map { byte in
            generator = Self.mixed(generator)
            return byte ^ UInt8(truncatingIfNeeded: generator)
        }
    }

    private func tag(_ bytes: [UInt8], _ nonce: UInt64) -> UInt64 {
        bytes.reduce(Self.mixed(key ^ nonce)) { Self.mixed($0 ^ UInt64($1)) }
    }

    /// A step of SplitMix64.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
