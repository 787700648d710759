extension StoreOptions {
    /// The arguments with leading options of the store moved after the command, where the parser expects them:
    /// `loans --store memory: list` becomes `loans list --store memory:`.
    static func movedBehind(_ arguments: [String]) -> [String] {
        let flags = Set([Setting.store, .durability, .caller, .config].map { "--" + $0.name })
        var leading: [String] = []
        var rest = arguments[...]
        while let first = rest.first {
            let count = flags.contains(first) ? 2 : flags.contains { first.hasPrefix($0 + "=") } ? 1 : 0
            guard count > 0 else { break }
            leading += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + leading + rest[end...]
    }
}
