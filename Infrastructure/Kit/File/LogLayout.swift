internal import LarderData
internal import LarderDomain

/// Decodes the objects of one schema from a log, which may predate some members of the schema.
final class LogLayout: Sendable {
    let schema: EntitySchema
    /// The column index of each recorded value; further columns follow those of the schema.
    private let columns: [Int]
    /// The schema's index of each recorded list of links.
    private let links: [Int]
    /// The schema's index of each recorded list of owned objects, and the layout of these objects.
    private let children: [(index: Int, layout: LogLayout)]
    /// The values of an object without recorded values.
    private let defaults: [Value]

    /// - Parameter recorded: The schema items of the log. Except further columns, all of them are declared now.
    init(_ schema: EntitySchema, recorded: [SchemaItem]) {
        self.schema = schema
        let own = recorded.filter { $0.entity == schema.name }
        let further = own.filter { $0.kind == .column && schema.index(ofColumn: $0.name) == nil }
        columns = own.filter { $0.kind == .column }.map { item in
            schema.index(ofColumn: item.name) ?? schema.columns.count + (further.firstIndex(of: item) ?? 0)
        }
        links = own.filter { $0.kind == .links }.compactMap { item in
            schema.links.firstIndex { $0.name == item.name }
        }
        children = recorded.filter { $0.kind == .entity && $0.owner == schema.name }.compactMap { item in
            guard let index = schema.children.firstIndex(where: { $0.schema.name == item.entity }) else { return nil }
            return (index, LogLayout(schema.children[index].schema, recorded: recorded))
        }
        defaults = schema.columns.map { $0.defaultValue ?? .null } + further.map { _ in .null }
    }

    func object(_ reader: inout ValueReader, version: Int64 = 0) throws(MalformedBytes) -> StorageObject {
        var object = StorageObject(
            schema: schema, id: try reader.id(), version: version, values: defaults,
            children: schema.children.map { _ in [] }, links: schema.links.map { _ in [] })
        for column in columns { object.values[column] = try value(of: column, &reader) }
        for link in links {
            for _ in 0..<(try reader.countOfItems()) { object.links[link].append(try reader.id()) }
        }
        for (index, layout) in children {
            for _ in 0..<(try reader.countOfItems()) { object.children[index].append(try layout.object(&reader)) }
        }
        return object
    }

    func changes(_ reader: inout ValueReader) throws(MalformedBytes) -> ObjectChanges {
        var changes = ObjectChanges()
        for _ in 0..<(try reader.countOfItems()) {
            let column = try Self.element(columns, &reader)
            changes.columns.append(ColumnChange(column: column, value: try value(of: column, &reader)))
        }
        for _ in 0..<(try reader.countOfItems()) {
            let link = try Self.element(links, &reader)
            let count = try reader.count()
            var places: [LinkPlace] = []
            for _ in 0..<(try reader.countOfItems()) {
                places.append(LinkPlace(position: try reader.count(), id: try reader.id()))
            }
            changes.links.append(LinkChange(relationship: link, places: places, count: count))
        }
        for _ in 0..<(try reader.countOfItems()) {
            let (index, layout) = try Self.element(children, &reader)
            let id = try reader.id()
            changes.children.append(
                ChildChange(relationship: index, id: id, kind: try layout.change(&reader, of: id)))
        }
        return changes
    }

    private func change(_ reader: inout ValueReader, of id: RawID) throws(MalformedBytes) -> ChildChange.Kind {
        switch try reader.byte() {
        case 0: return .delete
        case 1:
            let position = try reader.count()
            let object = try object(&reader)
            guard object.id == id else { throw MalformedBytes() }
            return .insert(object, position: position)
        case 2: return .update(position: nil, try changes(&reader))
        case 3: return .update(position: try reader.count(), try changes(&reader))
        default: throw MalformedBytes()
        }
    }

    private func value(of column: Int, _ reader: inout ValueReader) throws(MalformedBytes) -> Value {
        let value = try reader.value()
        guard column < schema.columns.count else { return value }
        let declared = schema.columns[column]
        // A derived column is `null` until it is computed.
        guard declared.holds(value) || declared.isDerived && value == .null else { throw MalformedBytes() }
        return value
    }

    private static func element<Element>(
        _ list: [Element], _ reader: inout ValueReader
    ) throws(MalformedBytes) -> Element {
        let index = try reader.count()
        guard index < list.count else { throw MalformedBytes() }
        return list[index]
    }
}
