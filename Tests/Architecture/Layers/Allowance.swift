/// The modules that a layer may import and depend on.
public enum Allowance: Sendable {
    /// Only these modules.
    case only(Set<String>)
    /// All modules except these.
    case allBut(Set<String>)

    /// All modules.
    public static let any = Allowance.allBut([])

    /// Whether a module is permitted.
    public func permits(_ module: String) -> Bool {
        switch self {
        case .only(let modules): modules.contains(module)
        case .allBut(let modules): !modules.contains(module)
        }
    }
}
