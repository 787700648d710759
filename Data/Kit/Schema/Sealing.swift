/// The form in which the values of a column are encrypted. `null` is not encrypted.
///
/// A query can test the column for `null`. All uses except those named here are refused: sorts, ranges, parts of texts,
/// arithmetic, counts by the column, comparisons with other columns (`unsupportedQuery`), and references, indexes,
/// unique groups and defaults (`incompatible`).
public enum Sealing: String, Hashable, Sendable {
    /// Encrypted.
    case content
    /// Encrypted, with a keyed hash of the value, by which the column can be unique, indexed, and compared with values
    /// of a query. The store can see which objects have equal values.
    case equality
}
