internal import LarderData

/// Change sets that no mapper makes but any caller can: each contains something that the library's schemas do not
/// declare.
enum Undeclared {
    /// References to books that are absent from the library: one from a declared root, one from an undeclared root.
    static func references() -> (known: IncomingReference, unknown: IncomingReference) {
        let link = LinkRelationship(name: "favourites", target: "book", onDelete: .remove)
        let roots = ["shelf", "stranger"].map { EntitySchema(name: $0, columns: [], links: [link]) }
        return (roots[0].references[0], roots[1].references[0])
    }

    /// - Parameters:
    ///   - stored: A book at version 1, with a chapter.
    ///   - new: A book that is not stored.
    static func changeSets(
        of stored: StorageObject, new: StorageObject, in trial: Trial
    ) throws -> [(what: String, changes: ChangeSet)] {
        let chapter = stored.children[0][0]
        let another = try ChapterMapper.storageObject(from: Chapter(trial.id(), "Water"))
        func insert(_ change: (inout StorageObject) -> Void) -> ChangeSet {
            var object = new
            change(&object)
            return ChangeSet(inserts: [object])
        }
        func update(_ change: (inout ObjectChanges) -> Void) -> ChangeSet {
            var changes = ObjectChanges()
            change(&changes)
            return ChangeSet(updates: [RootUpdate(stored.key, expected: 1, changes: changes)])
        }
        func part(_ kind: ChildChange.Kind, list: Int = 0) -> ChangeSet {
            update { $0.children = [ChildChange(relationship: list, id: chapter.id, kind: kind)] }
        }
        func links(_ places: [Int], count: Int, list: Int = 0) -> ChangeSet {
            update {
                let places = places.map { LinkPlace(position: $0, id: stored.id) }
                $0.links = [LinkChange(relationship: list, places: places, count: count)]
            }
        }
        var columns = ObjectChanges()
        columns.columns = [ColumnChange(column: 7, value: .null)]
        return [
            ("a missing value", insert { $0.values.removeLast() }),
            ("a value too many", insert { $0.values.append(.null) }),
            ("null where none may be", insert { $0.values[0] = .null }),
            ("a value of another type", insert { $0.values[2] = .text("many") }),
            ("a number that is none", insert { $0.values[3] = .real(.infinity) }),
            ("a list of parts too many", insert { $0.children.append([]) }),
            ("a missing list of links", insert { $0.links = [] }),
            ("a part of another kind", insert { $0.children[0] = [new] }),
            ("a part with a missing value", insert { $0.children[0] = [another.without(value: 1)] }),
            ("an unknown column", update { $0.columns = [ColumnChange(column: 99, value: .null)] }),
            ("a column before the first", update { $0.columns = [ColumnChange(column: -1, value: .null)] }),
            ("a new value of another type", update { $0.columns = [ColumnChange(column: 0, value: .integer(1))] }),
            (
                "one column twice, first with another type",
                update { $0.columns = [.init(column: 0, value: .integer(1)), .init(column: 0, value: .text("a"))] }
            ),
            ("an unknown list of links", links([], count: 0, list: 5)),
            ("a link before the first", links([-1], count: 1)),
            ("a link beyond the end", links([1], count: 1)),
            ("links out of order", links([1, 0], count: 2)),
            ("a list of less than nothing", links([], count: -1)),
            ("an unknown list of parts", part(.delete, list: 3)),
            ("a part that is another one", part(.insert(another, position: 1))),
            ("an unknown column of a part", part(.update(position: nil, columns))),
            ("a part before the first", part(.update(position: -1, ObjectChanges()))),
            (
                "a new part before the first",
                update { $0.children = [.init(relationship: 0, id: another.id, kind: .insert(another, position: -1))] }
            ),
        ]
    }
}

extension StorageObject {
    fileprivate func without(value index: Int) -> StorageObject {
        var object = self
        object.values.remove(at: index)
        return object
    }
}
