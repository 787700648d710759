internal import LarderData
internal import LarderDomain

extension SQLiteChangeApplier {
    /// Inserts the owned objects of a new object, at any depth, and all links.
    func insertOwned(by object: StorageObject, _ plan: SQLTablePlan) throws(PersistencyError) {
        for (link, targets) in zip(plan.links, object.links) {
            for (position, target) in targets.enumerated() { try put(link, object.id, position, target) }
        }
        for (child, objects) in zip(plan.children, object.children) {
            for (position, owned) in objects.enumerated() {
                try insert(owned, owner: object.id, position: position, child)
            }
        }
    }

    private func insert(
        _ object: StorageObject, owner: RawID, position: Int, _ plan: SQLTablePlan
    ) throws(PersistencyError) {
        let statement = try connection.statement(plan.insert)
        try statement.bind(object.id, at: 1)
        try statement.bind(owner, at: 2)
        // Without a position, the words of a search get the number by which their index knows them.
        try statement.bind(plan.schema.isDerived ? .null : .integer(Int64(position)), at: 3)
        try statement.bind(object.values, from: 4)
        guard try statement.insert() else { throw .duplicateID(object.id, object.schema) }
        if let index = plan.wordIndex, keepsWordIndexes {
            try run(index.add, connection.lastRow, WordText(object.values[0]).words(notIn: WordText(.null)))
        }
        try insertOwned(by: object, plan)
    }

    private func put(
        _ link: SQLLinkPlan, _ owner: RawID, _ position: Int, _ target: RawID
    ) throws(PersistencyError) {
        try connection.statement(link.put).run([.id(owner), .integer(Int64(position)), .id(target)])
    }

    /// Deletes the owned objects of an object, at any depth, and all links.
    func deleteOwned(by id: RawID, _ plan: SQLTablePlan) throws(PersistencyError) {
        for child in plan.children { try changeWords(of: id, to: .null, child) }
        for text in plan.deleteOwned { try connection.statement(text).run([.id(id)]) }
    }

    /// Deletes removed owned objects, at any depth.
    func deleteOwned(_ changes: ObjectChanges, _ id: RawID, _ plan: SQLTablePlan) throws(PersistencyError) {
        for change in changes.children {
            let child = plan.children[change.relationship]
            switch change.kind {
            case .insert: continue
            case .update(_, let changes): try deleteOwned(changes, change.id, child)
            case .delete:
                try deleteOwned(by: change.id, child)
                try changeWords(of: change.id, to: .null, child)
                try connection.statement(child.delete).run([.id(change.id)])
            }
        }
    }

    /// Writes links, and inserted or changed owned objects, at any depth.
    func changeOwned(_ changes: ObjectChanges, _ id: RawID, _ plan: SQLTablePlan) throws(PersistencyError) {
        for change in changes.links {
            let link = plan.links[change.relationship]
            for place in change.places { try put(link, id, place.position, place.id) }
            try connection.statement(link.truncate).run([.id(id), .integer(Int64(change.count))])
        }
        for change in changes.children {
            let child = plan.children[change.relationship]
            switch change.kind {
            case .delete: continue
            case .insert(let object, let position): try insert(object, owner: id, position: position, child)
            case .update(let position, let changes):
                try update(change.id, position, changes.columns, child)
                try changeOwned(changes, change.id, child)
            }
        }
    }

    private func update(
        _ id: RawID, _ position: Int?, _ columns: [ColumnChange], _ plan: SQLTablePlan
    ) throws(PersistencyError) {
        if position == nil, columns.isEmpty { return }
        // The words are the only column of their table.
        if let words = columns.first { try changeWords(of: id, to: words.value, plan) }
        let statement =
            columns.isEmpty
            ? try connection.statement(plan.move)
            : try statement(of: columns, in: plan, moves: position != nil)
        try statement.bind(id, at: 1)
        if let position { try statement.bind(Int64(position), at: 2) }
        try statement.bind(columns.map(\.value), from: position == nil ? 2 : 3)
        try statement.run()
    }

    /// Changes the index of words, if the table has one, before the row with this id changes.
    private func changeWords(of id: RawID, to value: Value, _ plan: SQLTablePlan) throws(PersistencyError) {
        guard keepsWordIndexes, let index = plan.wordIndex else { return }
        let stored = try connection.statement(plan.readOne).first([.id(id)]) {
            (row: $0.integer(2), words: WordText($0.value(3, .text)))
        }
        guard let stored else { return }
        let words = WordText(value)
        let (gone, new) = (stored.words.words(notIn: words), words.words(notIn: stored.words))
        if gone.isEmpty, new.isEmpty { return }
        try run(index.remove, stored.row, gone)
        try run(index.add, stored.row, new)
    }

    /// Changes an index of words; its rows are none of the store's.
    private func run(_ index: SQLStatementText, _ row: Int64, _ words: String) throws(PersistencyError) {
        let before = connection.rowsWritten
        try connection.statement(index).run([.integer(row), .text(words)])
        connection.rowsIndexed += connection.rowsWritten - before
    }

    /// Merges a part of each index of words.
    func mergeWordIndexes() throws(PersistencyError) {
        let before = connection.rowsWritten
        for root in plan.roots {
            for child in root.children {
                if let index = child.wordIndex { try connection.statement(index.merge).run() }
            }
        }
        connection.rowsIndexed += connection.rowsWritten - before
    }
}
