/// JSON pointers (RFC 6901), such as `/steps/3/text`; the empty pointer refers to the whole text.
public enum JSONPointer {
    /// The pointer to a member of the object at `pointer`.
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

    /// The pointer to an element of the array at `pointer`; the first index is 0.
    public static func to(_ index: Int, in pointer: String) -> String { "\(pointer)/\(index)" }
}
