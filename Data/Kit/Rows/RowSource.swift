public import LarderDomain

/// A source of rows in the store's own memory, such as a statement, that fills ``Cell``s from them.
public protocol RowSource: AnyObject {
    /// The cells of the row: the id, the version, and, unless only versions are read, one for each column of the
    /// schema. The address is constant while rows are lent.
    var cells: UnsafeBufferPointer<Cell> { get }

    /// Fills the cells from the next row.
    ///
    /// - Returns: Whether there is one.
    func advance() throws(PersistencyError) -> Bool
}
