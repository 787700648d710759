import LarderData
import LarderDomain

/// The content of the load: each commit of a task inserts an entry, changes an older one, deletes an old one, and counts.
struct Entries {
    /// The number of later commits until an entry is changed, and until it is deleted.
    static let (changedAfter, deletedAfter) = (10, 50)

    let entry, part, counter: EntitySchema

    init(isSealed: Bool) {
        func column(_ name: String, _ type: ColumnType, _ sealing: Sealing = .content) -> Column {
            Column(name: name, type: type, sealing: isSealed ? sealing : nil)
        }
        part = EntitySchema(name: "part", columns: [column("text", .text)])
        entry = EntitySchema(
            name: "entry",
            columns: [
                column("name", .text, .equality), column("secret", .text), column("bytes", .blob),
                Column(name: "open", type: .text),
            ], children: [ChildRelationship(name: "parts", schema: part)], uniques: [[0]])
        counter = EntitySchema(name: "counter", columns: [Column(name: "count", type: .integer)])
    }

    /// An entry as it is inserted, or as it is changed later. Each of its sealed values contains a canary text.
    func object(_ task: Int, _ number: Int, isChanged: Bool = false) -> StorageObject {
        let canary = "canary-\(task)-\(number)"
        let secret = isChanged ? "\(canary)-changed" : canary
        // Some values need pages of their own in SQLite.
        let bytes = Array(String(repeating: secret, count: number % 16 == 0 ? 500 : 1).utf8)
        let part = StorageObject(schema: part, id: id(task + 100, number), values: [.text(secret)])
        return StorageObject(
            schema: entry, id: id(task, number), version: isChanged ? 2 : 1,
            values: [.text(canary), .text(secret), .blob(bytes), .text("plain-text")], children: [[part]])
    }

    func changes(_ task: Int, _ number: Int) -> ChangeSet {
        var changes = ChangeSet(inserts: [object(task, number)])
        let key = id(0, task)
        if number == 0 {
            changes.inserts.append(StorageObject(schema: counter, id: key, values: [.integer(1)]))
        } else {
            var count = ObjectChanges()
            count.columns = [ColumnChange(column: 0, value: .integer(Int64(number + 1)))]
            changes.updates = [RootUpdate(EntityKey(counter, key), expected: Int64(number), changes: count)]
        }
        if number >= Self.changedAfter {
            let older = number - Self.changedAfter
            let change = ObjectChanges(from: object(task, older), to: object(task, older, isChanged: true))
            changes.updates.append(RootUpdate(EntityKey(entry, id(task, older)), expected: 1, changes: change))
        }
        if number >= Self.deletedAfter {
            let old = EntityKey(entry, id(task, number - Self.deletedAfter))
            changes.deletes = [RootExpectation(old, version: 2)]
        }
        return changes
    }

    private func id(_ high: Int, _ low: Int) -> RawID { RawID(high: UInt64(high), low: UInt64(low)) }
}
