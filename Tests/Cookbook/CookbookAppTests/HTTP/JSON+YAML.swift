import LarderApp
import Testing
import Yams

extension JSON {
    /// The value of a YAML node.
    init(_ node: Node) throws {
        switch node {
        case .mapping(let mapping):
            self = .object(try mapping.map { Member(try #require($0.key.string), try JSON($0.value)) })
        case .sequence(let items): self = .array(try items.map { try JSON($0) })
        case .scalar, .alias:
            if node.null != nil {
                self = .null
            } else if let flag = node.bool {
                self = .bool(flag)
            } else if let number = node.int {
                self = .integer(Int64(number))
            } else {
                self = .string(try #require(node.string))
            }
        }
    }
}
