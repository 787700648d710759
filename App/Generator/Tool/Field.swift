/// A field of an entity: `pages:Int?`, `isbn:String,unique`, `state:enum(good,worn)=good`, `lentAt:Instant?,readonly`.
struct Field: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case string, int, double, bool, day, instant
        /// One of some words: `state:enum(good,worn,lost)`, with the name of the enum's type.
        case choice(String, [String])
        /// The id of another entity: `author:ref(Author)`.
        case reference(String)
        /// The ids of other entities: `tags:many(Tag)`.
        case links(String)
        /// Owned objects, with their fields: `chapters:[Chapter(title:String)]`.
        case objects(String, [Field])
    }

    let name: String
    let kind: Kind
    let isOptional: Bool
    /// The default as it was written: `0`, `true`, `good`, `en`.
    let initial: String?
    /// Whether no two entities have the same value.
    let isUnique: Bool
    /// Whether only code of the service sets it, and no client.
    let isReadOnly: Bool

    /// The entity to which it refers.
    var target: String? {
        switch kind {
        case .reference(let type), .links(let type): type
        default: nil
        }
    }

    var isList: Bool {
        switch kind {
        case .links, .objects: true
        default: false
        }
    }

    /// Whether a body must have it.
    var isRequired: Bool { !isOptional && !isList && initial == nil }

    /// The default in Swift: `0`, `.good`, `"en"`.
    var literal: String? {
        switch kind {
        case .string: initial.map { "\"\($0)\"" }
        case .choice: initial.map { ".\($0)" }
        default: initial
        }
    }

    /// The enum that the field declares: its type, and its cases.
    var choice: (type: String, cases: [String])? {
        if case .choice(let type, let cases) = kind { (type, cases) } else { nil }
    }

    /// The text from which the field can be parsed again.
    var description: String {
        let type =
            switch kind {
            case .choice(_, let cases): "enum(\(cases.joined(separator: ",")))"
            case .reference(let type): "ref(\(type))"
            case .links(let type): "many(\(type))"
            case .objects(let type, let fields): "[\(type)(\(fields.map(\.description).joined(separator: " ")))]"
            default: Self.kinds.first { $0.value == kind }?.key ?? ""
            }
        return "\(name):\(type)\(isOptional ? "?" : "")" + (initial.map { "=\($0)" } ?? "")
            + (isUnique ? ",unique" : "") + (isReadOnly ? ",readonly" : "")
    }
}
