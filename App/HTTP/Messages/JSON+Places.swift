public import LarderApp
internal import LarderDomain

extension JSON {
    /// Does what this body asks for. A reference that leads nowhere is refused by its place in the body, or by the empty
    /// pointer where the body does not have it.
    ///
    /// - Throws: `InvalidFields` for `dangling`; else what the work throws.
    public func locatingReferences<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            guard case .dangling(let dangling)? = error as? PersistencyError else { throw error }
            throw InvalidFields([FieldError(dangling, at: place(of: dangling) ?? "")])
        }
    }

    /// Of several places with the id, the first below a member of the column's name.
    func place(of dangling: Dangling) -> String? {
        let path = path(to: dangling.id, below: dangling.column.memberName) ?? path(to: dangling.id, below: nil)
        return path.map { $0.reversed().joined() }
    }

    /// The steps to the first text with an id, the innermost first. A pointer is made of them only when it is found: to
    /// make one for each value takes as long as names are long.
    ///
    /// - Parameter name: The member that it has to be below; `nil` for anywhere.
    private func path(to id: RawID, below name: String?) -> [String]? {
        switch self {
        case .string(let text): return name == nil && RawID(text) == id ? [] : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let path = element.path(to: id, below: name) { return path + [JSONPointer.to(index, in: "")] }
            }
        case .object(let members):
            for member in members {
                if let path = member.value.path(to: id, below: member.name == name ? nil : name) {
                    return path + [JSONPointer.to(member.name, in: "")]
                }
            }
        case .null, .bool, .integer, .number: break
        }
        return nil
    }
}
