internal import LarderData
internal import LarderDomain

/// Decodes the objects of one schema from a log.
final class LogLayout: Sendable {
    let schema: EntitySchema
    private let children: [LogLayout]

    init(_ schema: EntitySchema) {
        self.schema = schema
        children = schema.children.map { LogLayout($0.schema) }
    }

    func object(_ reader: inout ValueReader, version: Int64 = 0) throws(MalformedBytes) -> StorageObject {
        let id = try reader.id()
        var values: [Value] = []
        values.reserveCapacity(schema.columns.count)
        for column in schema.columns.indices { values.append(try value(of: column, &reader)) }
        var object = StorageObject(
            schema: schema, id: id, version: version, values: values, children: children.map { _ in [] },
            links: schema.links.map { _ in [] })
        for link in object.links.indices {
            for _ in 0..<(try reader.countOfItems()) { object.links[link].append(try reader.id()) }
        }
        for (index, layout) in children.enumerated() {
            for _ in 0..<(try reader.countOfItems()) { object.children[index].append(try layout.object(&reader)) }
        }
        return object
    }

    func changes(_ reader: inout ValueReader) throws(MalformedBytes) -> ObjectChanges {
        var changes = ObjectChanges()
        for _ in 0..<(try reader.countOfItems()) {
            let column = try Self.index(in: schema.columns.indices, &reader)
            changes.columns.append(ColumnChange(column: column, value: try value(of: column, &reader)))
        }
        for _ in 0..<(try reader.countOfItems()) {
            let link = try Self.index(in: schema.links.indices, &reader)
            let count = try reader.count()
            var places: [LinkPlace] = []
            for _ in 0..<(try reader.countOfItems()) {
                places.append(LinkPlace(position: try reader.count(), id: try reader.id()))
            }
            changes.links.append(LinkChange(relationship: link, places: places, count: count))
        }
        for _ in 0..<(try reader.countOfItems()) {
            let index = try Self.index(in: children.indices, &reader)
            let id = try reader.id()
            changes.children.append(
                ChildChange(relationship: index, id: id, kind: try children[index].change(&reader, of: id)))
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
        guard schema.columns[column].accepts(value) else { throw MalformedBytes() }
        return value
    }

    private static func index(in indices: Range<Int>, _ reader: inout ValueReader) throws(MalformedBytes) -> Int {
        let index = try reader.count()
        guard indices.contains(index) else { throw MalformedBytes() }
        return index
    }
}
