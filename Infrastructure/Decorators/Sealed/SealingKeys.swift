public import LarderData
public import LarderDomain

/// The keys of a ``SealedStore``.
public struct SealingKeys: Sendable {
    /// A key and its name, which sealed values contain.
    public struct Key: Sendable {
        /// 1 to 64 ASCII letters, digits, `-`, `_` or `.`.
        public let id: String
        let cipher: any Cipher

        /// - Parameters:
        ///   - id: The name of the key, which sealed values contain.
        ///   - cipher: Encrypts and hashes with the key.
        public init(_ id: String, _ cipher: any Cipher) {
            (self.id, self.cipher) = (id, cipher)
        }
    }

    let current: Key
    /// The key of hashes, which is the same for the life of a store.
    let equality: Key?
    private let byID: [String: any Cipher]

    /// - Parameters:
    ///   - current: Encrypts all new values.
    ///   - older: Decrypt older values, until ``SealedStore/rotateKeys(of:pageSize:retry:)`` has replaced them.
    ///   - equality: Computes the hashes of columns that are sealed with `Sealing.equality`; required by them. It
    ///     cannot be rotated, because equal values must have equal hashes.
    /// - Throws: `incompatible` for an id that is empty, too long, repeated, or has other characters.
    public init(current: Key, older: [Key] = [], equality: Key? = nil) throws(PersistencyError) {
        (self.current, self.equality) = (current, equality)
        var byID: [String: any Cipher] = [:]
        for key in [current] + older + (equality.map { [$0] } ?? []) {
            guard (1...64).contains(key.id.utf8.count), key.id.utf8.allSatisfy(\.isKeyID) else {
                throw .incompatible(
                    "a sealing key is named '\(key.id)': use 1 to 64 ASCII letters, digits, '-', '_' or '.'")
            }
            guard byID.updateValue(key.cipher, forKey: key.id) == nil else {
                throw .incompatible("two sealing keys are named '\(key.id)'")
            }
        }
        if let equality { byID[equality.id] = nil }
        self.byID = byID
    }

    /// The cipher of the current key or an older one.
    subscript(id: String) -> (any Cipher)? { byID[id] }
}

extension UInt8 {
    var isKeyID: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
