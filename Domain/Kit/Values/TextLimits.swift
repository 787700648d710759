/// The limits that the initializer of an entity applies to its texts.
public enum TextLimits: Sendable {
    /// Those of new texts: code points of the normalized text, with bounded runs of combining marks.
    case current
    /// Those of stored texts: earlier versions counted grapheme clusters. What they accepted remains readable.
    case stored
}
