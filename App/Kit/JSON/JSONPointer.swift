/// Where a value stands in a JSON text (RFC 6901): `/steps/3/text`; the empty pointer names the whole text.
public enum JSONPointer {
    /// The pointer to a member of the object that `pointer` names.
    public static func to(_ name: String, in pointer: String) -> String {
        var result = pointer
        result.append("/")
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result.append("~0")
            case "/": result.append("~1")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The pointer to an element of the array that `pointer` names; the first one is 0.
    public static func to(_ index: Int, in pointer: String) -> String { "\(pointer)/\(index)" }
}
