import LarderDomain

extension PersistencyError {
    /// The name of the case.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
