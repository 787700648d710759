/// The limits that the initializer of an entity applies to its texts.
public enum TextLimits: Sendable {
    /// The limits of new texts: code points of the normalized text, with bounded runs of combining marks.
    case current
    /// The limits of stored texts: earlier versions counted grapheme clusters, and their texts remain readable.
    case stored
}
