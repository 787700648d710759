internal import LarderData
internal import LarderDomain

/// The reason for refusing a change set, as the port documents it.
enum Fault: Hashable {
    case cancelled, closed, tooLarge
    case unknownEntity(String)
    case invalid(entity: String, field: String)
    case conflict(EntityReference, expected: Int64?, found: Int64?)
    case duplicate(Duplicate)
    case dangling(Dangling)
    case other(String)

    init(_ error: PersistencyError) {
        switch error {
        case .cancelled: self = .cancelled
        case .unknownEntity(let name): self = .unknownEntity(name)
        case .invalid(let field): self = .invalid(entity: field.entity, field: field.field)
        case .conflict(let conflict):
            self = .conflict(conflict.reference, expected: conflict.expected, found: conflict.found)
        case .duplicate(let duplicate): self = .duplicate(duplicate)
        case .dangling(let dangling): self = .dangling(dangling)
        case .unavailable(let trouble) where trouble.reason == .closed: self = .closed
        case .unavailable(let trouble) where trouble.reason == .tooLarge: self = .tooLarge
        default: self = .other("\(error)")
        }
    }
}
