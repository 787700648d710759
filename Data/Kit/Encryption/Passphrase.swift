/// The text from which a store derives the key that seals all of its files. Descriptions, mirrors and errors do not
/// contain it.
public struct Passphrase: Sendable, Equatable {
    /// The text in UTF-8. Only a store that derives a key needs it.
    public let bytes: [UInt8]

    /// - Throws: ``PassphraseError/invalid`` unless it has 1 to 1,024 bytes and no U+0000.
    public init(_ text: String) throws(PassphraseError) {
        bytes = Array(text.utf8)
        guard (1...1_024).contains(bytes.count), !bytes.contains(0) else { throw .invalid }
    }
}

extension Passphrase: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(a passphrase)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reason why a passphrase does not open a store: the cause of an `unavailable` error.
public enum PassphraseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is empty, longer than 1,024 bytes, or contains U+0000.
    case invalid
    /// The store is sealed, and no passphrase was given.
    case missing
    /// The store is not sealed, and a passphrase was given.
    case unexpected
    /// It is not the store's passphrase. For a SQLite database, its first page may be damaged instead.
    case wrong
    /// This program cannot seal this kind of store.
    case unsupported
    /// A backup would not be sealed.
    case plainBackup

    public var description: String {
        switch self {
        case .invalid: "a passphrase must have 1 to 1,024 bytes, without U+0000"
        case .missing: "it is sealed; its passphrase is required"
        case .unexpected: "it is not sealed; open it without a passphrase, or seal it first"
        case .wrong: "the passphrase is wrong"
        case .unsupported: "this program cannot seal this kind of store"
        case .plainBackup: "a backup of a sealed store would not be sealed; copy the closed store's files instead"
        }
    }
}
