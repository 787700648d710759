public import LarderApp
internal import LarderDomain

extension JSON {
    /// Executes a request with this body. The error for a dangling reference has a pointer to the reference in the
    /// body, or an empty pointer if the body does not contain it.
    ///
    /// - Throws: `InvalidFields` for `dangling`; all other errors of the work.
    public func locatingReferences<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            guard case .dangling(let dangling)? = error as? PersistencyError else { throw error }
            throw InvalidFields([FieldError(dangling, at: place(of: dangling) ?? "")])
        }
    }

    /// A pointer to the id; of several, the first below a member with the column's name.
    func place(of dangling: Dangling) -> String? {
        let path = path(to: dangling.id, below: dangling.column.memberName) ?? path(to: dangling.id, below: nil)
        return path.map { $0.reversed().joined() }
    }

    /// The path to the first text with an id, the innermost step first. The pointer is built only for the text that is
    /// found: building one for each value takes time proportional to the length of the names.
    ///
    /// - Parameter name: A member that must be on the path; `nil` for any path.
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
        case .null, .bool, .integer, .decimal, .number: break
        }
        return nil
    }
}
