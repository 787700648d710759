/// Members with unique names, with lookup in constant time also for large objects.
struct UniqueMembers {
    private(set) var members: [JSON.Member] = []
    /// Used only for objects so large that comparing each name would take longer.
    private var names: Set<String> = []
    private static let few = 16

    mutating func isNew(_ name: String) -> Bool {
        if members.count < Self.few { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }

    mutating func append(_ name: String, _ value: JSON) {
        members.append(JSON.Member(name, value))
    }
}
