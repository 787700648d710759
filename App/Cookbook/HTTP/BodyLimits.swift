internal import CookbookDomain

/// The most bytes that bodies may have, by what they are.
enum BodyLimits {
    /// JSON: 256 KiB.
    static let json = 256 * 1024
    /// A photo: 5 MiB.
    static let photo = Photo.maximumSize
    /// A document of recipes that is read as a whole: 5 MiB.
    static let document = 5 * 1024 * 1024
}
