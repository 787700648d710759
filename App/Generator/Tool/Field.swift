/// A field of an entity: `pages:Int?`, `isbn:String,unique`, `state:enum(good,worn)=good`, `price:Decimal(2)`.
struct Field: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case string, int, double, bool, day, instant, bytes
        /// An exact decimal with a number of digits after the point: `price:Decimal(2)`.
        case decimal(Int)
        /// One of some words: `state:enum(good,worn,lost)`, with the name of the enum's type.
        case choice(String, [String])
        /// The id of another entity: `author:ref(Author)`.
        case reference(String)
        /// The ids of other entities: `tags:many(Tag)`.
        case links(String)
        /// Owned objects, with their fields: `chapters:[Chapter(title:String)]`.
        case objects(String, [Field])
        /// A value object, with its fields: `address:Address(street:String city:String)`.
        case value(String, [Field])
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
    /// What happens when the entity to which it refers is deleted, if it is not the usual: `cascade`, `refuse`, `remove`.
    var onDelete: String?
    /// Whether it refers to an entity that refers to this one, so that an example cannot have it.
    var isLater = false
    /// Whether it is a column of a database that was adopted: it accepts each value of its type.
    var isAdopted = false

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

    /// The fields of a value object; empty for other fields.
    var parts: [Field] { if case .value(_, let fields) = kind { fields } else { [] } }

    /// The names of its columns; that of a list, which is not a column.
    var columns: [String] {
        let name = EntityName.words(name).joined(separator: "_")
        if case .reference = kind { return ["\(name)_id"] }
        return parts.isEmpty ? [name] : parts.flatMap(\.columns).map { "\(name)_\($0)" }
    }

    /// Whether a body must have it.
    var isRequired: Bool { !isOptional && !isList && initial == nil && kind != .bytes }

    /// Whether it refers to an entity that is created after this one, or may be this one.
    func isBackward(in type: String) -> Bool { target == type || isLater }

    /// The maximum number of links or owned objects.
    var limit: String { isAdopted ? "100_000" : "1_000" }

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
            case .reference(let type):
                "ref(\(([type, onDelete].compactMap(\.self) + (isLater ? ["later"] : [])).joined(separator: ",")))"
            case .links(let type): "many(\(type))"
            case .objects(let type, let fields): "[\(type)(\(Self.text(fields)))]"
            case .value(let type, let fields): "\(type)(\(Self.text(fields)))"
            case .decimal(let scale): "Decimal(\(scale))"
            default: Self.kinds.first { $0.value == kind }?.key ?? ""
            }
        return "\(name):\(type)\(isOptional ? "?" : "")" + (initial.map { "=\($0)" } ?? "")
            + (isUnique ? ",unique" : "") + (isReadOnly ? ",readonly" : "")
    }

    static func text(_ fields: [Field]) -> String { fields.map(\.description).joined(separator: " ") }
}
