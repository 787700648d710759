/// Which modules a layer may know.
enum Allowance: Sendable {
    case only(Set<String>)
    case allBut(Set<String>)

    func permits(_ module: String) -> Bool {
        switch self {
        case .only(let modules): modules.contains(module)
        case .allBut(let modules): !modules.contains(module)
        }
    }
}
