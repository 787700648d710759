/// A folder of a package, with the modules that its sources may import and its target may depend on.
public struct Layer: Sendable {
    /// The path from the root of the package, without a slash at the end; the path of the target, if it has one.
    public let folder: String
    /// The modules that its sources may import and its target may depend on.
    public let imports: Allowance
    /// Whether its code is shipped. The rules about crashes and force unwraps apply only to such layers.
    public let isProduct: Bool
    /// Whether the folder may be absent, for example that of a sample which users delete.
    public let mayBeAbsent: Bool

    /// A layer whose folder must have a file, unless it may be absent.
    public init(_ folder: String, imports: Allowance, isProduct: Bool = true, mayBeAbsent: Bool = false) {
        self.folder = folder
        self.imports = imports
        self.isProduct = isProduct
        self.mayBeAbsent = mayBeAbsent
    }

    /// The standard library and Foundation, which any layer may import.
    public static let language: Set = ["Swift", "FoundationEssentials", "Foundation"]
}

extension [Layer] {
    /// The innermost layer that contains a path.
    func innermost(of path: String) -> Layer? {
        filter { path == $0.folder || path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }
}
