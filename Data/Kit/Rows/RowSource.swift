public import LarderDomain

/// The row of a store that has its rows in memory of its own, such as a statement, and fills ``Cell``s from them.
public protocol RowSource: AnyObject {
    /// The cells of the row: the id, the version, and, unless only versions are read, one for each column of the schema.
    /// The address does not change while rows are lent.
    var cells: UnsafeBufferPointer<Cell> { get }

    /// Fills the cells from the next row.
    ///
    /// - Returns: Whether there is one.
    func advance() throws(PersistencyError) -> Bool
}
