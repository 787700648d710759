/// The accepted image types, by media type.
public enum MediaType: String, Sendable, Hashable, CaseIterable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"
    /// GIF.
    case gif = "image/gif"
    /// WebP.
    case webp = "image/webp"
    /// AVIF.
    case avif = "image/avif"

    /// The image type that the first bytes of a file indicate; `nil` for an unsupported type.
    ///
    /// - Complexity: O(1).
    public init?(firstBytesOf bytes: [UInt8]) {
        func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
            self = .gif
        } else if has("RIFF", at: 0), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
            self = .avif
        } else {
            return nil
        }
    }
}
