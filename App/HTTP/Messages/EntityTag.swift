internal import Crypto
public import LarderData
internal import LarderDomain

/// An entity tag (RFC 9110, section 8.8.3). It is always strong: two responses with the same tag have the same bytes.
public struct EntityTag: Sendable, Hashable {
    /// The tag with its quotes, as in `ETag`.
    public let text: String

    /// The tag of a response.
    init(text: String) {
        self.text = text
    }

    /// The tag of one aggregate: its schema's fingerprint, shortened, and its version.
    ///
    /// - Parameters:
    ///   - schema: The fingerprint of the representation's schema.
    ///   - version: The aggregate's version.
    ///   - others: The ids and versions of other aggregates that the representation includes.
    public init(_ schema: SchemaFingerprint, version: Int64, others: [String] = []) {
        let suffix = others.isEmpty ? "" : "-" + Self.digest(others)
        text = "\"\(schema.text)-\(version)\(suffix)\""
    }

    /// The tag of a list: a digest of the parts of its representation.
    public init(_ schema: SchemaFingerprint, of parts: [String]) {
        text = "\"\(schema.text)-\(Self.digest(parts))\""
    }

    /// The tag of a file: a digest of its bytes.
    public init(_ bytes: [UInt8]) {
        text = "\"\(SHA256.hash(data: bytes).prefix(16).hexadecimal)\""
    }

    private static func digest(_ parts: [String]) -> String {
        var hash = SHA256()
        for part in parts { hash.update(data: Array("\(part)\0".utf8)) }
        return hash.finalize().prefix(12).hexadecimal
    }
}

/// Identifies a format of representations: the first 4 bytes, in hexadecimal digits, of the SHA-256 of the schema's
/// declaration and of the members. A new column or member changes all tags, although versions stay the same, and so does
/// a migration.
public struct SchemaFingerprint: Sendable, Hashable {
    let text: String

    /// Computes the fingerprint.
    ///
    /// - Parameters:
    ///   - schema: The schema of the entity.
    ///   - members: The names of the members of a representation.
    ///   - evolution: The version of the schemas: a step may change values without their versions.
    /// - Complexity: O(*n*) for the length of the declaration; keep the value.
    public init(_ schema: EntitySchema, members: [String] = [], evolution: SchemaEvolution = .initial) {
        let version = evolution.version > 1 ? ["version \(evolution.version)"] : []
        let declaration = ([schema.declaration(withWords: false)] + members + version).joined(separator: "\n")
        text = SHA256.hash(data: Array(declaration.utf8)).prefix(4).hexadecimal
    }
}
