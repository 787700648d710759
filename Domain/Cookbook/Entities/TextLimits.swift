/// Which limits the initialiser of an entity holds its texts to.
public enum TextLimits: Sendable {
    /// Those of new texts: characters are code points of the normalized text, and runs of combining marks are short.
    case current
    /// Those of texts that are stored already: an earlier version counted what a reader takes for one character. What it
    /// accepted stays readable.
    case stored
}
