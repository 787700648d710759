public import LarderDomain

/// An image. The one recipe or step that refers to it owns it. It is read only on demand.
public struct Photo: Entity {
    /// The maximum size of a photo: 5 MiB.
    public static let maximumSize = 5 * 1024 * 1024

    /// The photo.
    public let id: EntityID<Photo>
    /// The image type.
    public let mediaType: MediaType
    /// The SHA-256 of the bytes in 64 lower-case hexadecimal digits, computed by the caller.
    public let digest: String
    /// The encoded image, 1 byte to 5 MiB.
    public let bytes: [UInt8]

    /// Makes a photo.
    ///
    /// - Throws: `InvalidField` naming `mediaType` if the first bytes indicate another type, `digest`, or `bytes`.
    public init(
        id: EntityID<Photo>, mediaType: MediaType, digest: String, bytes: [UInt8]
    ) throws(InvalidField) {
        let check = FieldCheck(Photo.self)
        guard !bytes.isEmpty, bytes.count <= Self.maximumSize else {
            throw check.refusal("bytes", "must have 1 to \(Self.maximumSize) bytes")
        }
        guard MediaType(firstBytesOf: bytes) == mediaType else {
            throw check.refusal("mediaType", "must match the first bytes")
        }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        guard digest.utf8.count == 64, digest.utf8.allSatisfy({ digits.contains($0) || letters.contains($0) }) else {
            throw check.refusal("digest", "must have 64 lower-case hexadecimal digits")
        }
        self.id = id
        self.mediaType = mediaType
        self.digest = digest
        self.bytes = bytes
    }
}
