/// Which modules a layer may import and depend on.
public enum Allowance: Sendable {
    /// These and no others.
    case only(Set<String>)
    /// All except these.
    case allBut(Set<String>)

    /// All modules.
    public static let any = Allowance.allBut([])

    /// Whether a module is among them.
    public func permits(_ module: String) -> Bool {
        switch self {
        case .only(let modules): modules.contains(module)
        case .allBut(let modules): !modules.contains(module)
        }
    }
}
