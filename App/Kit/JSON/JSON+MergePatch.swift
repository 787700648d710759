extension JSON {
    /// Applies a JSON Merge Patch (RFC 7396) to this value.
    ///
    /// Members of the patch replace those of the same name in place, or are appended; `null` removes a member; objects
    /// are merged recursively; any other value, including an array, replaces the old one. Linear time.
    public func merging(patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member?] = []
        if case .object(let own) = self { members = own }
        var places: [String: Int] = [:]
        for (index, member) in members.enumerated() { places[member?.name ?? ""] = index }
        for change in changes {
            let place = places[change.name]
            if change.value == .null {
                if let place { members[place] = nil }
                continue
            }
            let before = place.flatMap { members[$0]?.value } ?? .null
            let after = Member(change.name, before.merging(patch: change.value))
            if let place {
                members[place] = after
            } else {
                places[change.name] = members.count
                members.append(after)
            }
        }
        return .object(members.compactMap(\.self))
    }
}
