internal import LarderDomain

/// One operation of a manager.
enum Operation: Sendable {
    case read(ItemKey)
    case readMany(ItemKind, [ItemKey])
    case create(Item)
    case save(Item)
    /// A save by the unique name of a genre or address of an author.
    case saveByKey(Item)
    case update(Item, expecting: Int64?)
    case delete(ItemKey, expecting: Int64?)
    case ask(Question, pageSize: Int?)
    case count(Tally)
    case sweep(Sweep)
}

extension Operation: CustomStringConvertible {
    var description: String {
        func at(_ version: Int64?) -> String { version.map { " expecting version \($0)" } ?? "" }
        func new(_ item: Item) -> String { KeptItem(item, 0).description }
        return switch self {
        case .read(let key): "read \(key)"
        case .readMany(_, let keys): "read \(keys)"
        case .create(let item): "create \(new(item))"
        case .save(let item): "save \(new(item))"
        case .saveByKey(let item): "save by its key \(new(item))"
        case .update(let item, let version): "update \(new(item))\(at(version))"
        case .delete(let key, let version): "delete \(key)\(at(version))"
        case .ask(let question, let size): "find \(question.name)\(size.map { " in pages of \($0)" } ?? "")"
        case .count(let tally): "count \(tally.name)"
        case .sweep(let sweep): "update so that \(sweep.name)"
        }
    }
}

extension ModelUnit {
    /// Performs the operation in the model. Returns the allowed answers.
    mutating func perform(_ operation: Operation) -> [Answer] {
        switch operation {
        case .read(let key): return [kept(key).map { .stored($0) } ?? .absent]
        case .readMany(_, let keys): return [.found(keys.compactMap { kept($0) }, total: nil)]
        case .create(let item): return [refused(item) ?? create(item)]
        case .save(let item): return [refused(item) ?? save(item)]
        case .saveByKey(let item): return [refused(item) ?? saveByKey(item)]
        case .update(let item, let version): return [refused(item) ?? update(item, expecting: version)]
        case .delete(let key, let version): return delete(key, expecting: version)
        case .ask(let question, _): return [question.answer(from: all)]
        case .count(let tally): return [tally.answer(from: all)]
        // In a transaction; alone, see `answersAlone`.
        case .sweep: return [.failed(.unsupportedUpdate)]
        }
    }

    private func refused(_ item: Item) -> Answer? {
        item.refusedField.map { .failed(.invalid(entity: item.key.reference.entity, field: $0)) }
    }
}
