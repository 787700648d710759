internal import Crypto
internal import CryptoExtras
public import LarderData

/// The port `KeyDerivation` with scrypt (RFC 7914), and ``AESCipher`` under the derived key.
///
/// The parameters are a version, the binary logarithm of scrypt's *N*, its *r* and *p*, and 16 random bytes of salt.
public struct ScryptDerivation: KeyDerivation {
    private static let version: UInt8 = 1
    private static let saltSize = 16
    /// The limit of 128 · *N* · *r* bytes of memory, and of the work, which a changed file could demand.
    private static let maximumCost = 1 << 28

    private let logN: UInt8

    /// - Parameter logN: The binary logarithm of *N* for new stores. With 15, a key takes 32 MiB and about 0.1 s.
    public init(logN: UInt8 = 15) {
        self.logN = logN
    }

    public func newParameters() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return [Self.version, logN, 8, 1]
            + (0..<Self.saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    public func cipher(for passphrase: Passphrase, _ parameters: [UInt8]) throws(CipherError) -> any Cipher {
        guard parameters.count == 4 + Self.saltSize, parameters[0] == Self.version else {
            throw CipherError("its parameters are of an unknown version")
        }
        let (logN, r, p) = (Int(parameters[1]), Int(parameters[2]), Int(parameters[3]))
        guard (1...24).contains(logN), r > 0, p > 0, 128 << logN <= Self.maximumCost / (r * p) else {
            throw CipherError("its cost exceeds \(Self.maximumCost >> 20) MiB, so the file is damaged")
        }
        do {
            let key = try KDF.Scrypt.deriveKey(
                from: passphrase.bytes, salt: parameters[4...], outputByteCount: AESCipher.keySize, rounds: 1 << logN,
                blockSize: r, parallelism: p)
            return try unsafe AESCipher(key: key.withUnsafeBytes { unsafe Array($0) })
        } catch let error as CipherError {
            throw error
        } catch {
            throw CipherError("scrypt failed")
        }
    }
}
