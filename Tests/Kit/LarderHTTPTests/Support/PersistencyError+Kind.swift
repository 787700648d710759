import LarderDomain

extension PersistencyError {
    /// The name of its case.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
