/// The tests over HTTP. Each needs some operations, and is skipped when the service removes one of them from the resource.
extension Entity {
    var testsOverHTTP: String {
        [visibility, listing, creation, invalidity, uniqueness, replacement, deletion].compactMap(\.self).joined()
    }

    /// A test over a service that has one entity, `example`.
    ///
    /// - Parameter verbs: The operations that it needs.
    private func test(_ title: String, needs verbs: String..., body: String) -> String {
        let list = verbs.map { ".\($0)" }.joined(separator: ", ")
        let attribute = verbs.isEmpty ? "@Test" : "@Test(.enabled(if: \(name.type)Resource.has(\(list))))\n   "
        let lines = body.split(separator: "\n").map { "            \($0)\n" }.joined()
        return """
                \(attribute) func `\(title)`() async throws {
                    try await TestService.run { service in
                        let example = try await \(name.type).example(in: service.manager, service.ids)
            \(lines)\
                    }
                }


            """
    }

    /// What anonymous callers and followers see.
    private var visibility: String {
        let title = (isPublic ? "all callers see and follow" : "strangers neither see nor follow") + " \(name.texts)"
        let count = isPublic ? 1 : 0
        let counts = fields.first(where: \.isCountable).map { field in
            """

            let counts = try await stranger.counts(Query<\(name.type)>(), by: .value(\\.\(field.name)))
            #expect(counts.values.reduce(0, +) == \(count))
            """
        }
        return test(
            title,
            body: """
                let paths = [(ResourceVerb.read, "\\(Self.path)/\\(example.id)"), (.list, Self.path)]
                for (verb, path) in paths where \(name.type)Resource.has(verb) {
                    #expect(try await service.send(.get, path).status == .\(isPublic ? "ok" : "unauthorized"))
                }
                let stranger = GuardedManager(service.manager, policies: Entities.policies(for: nil))
                let seen = try await stranger.read(Query<\(name.type)>(includesTotal: true))
                #expect(seen.items.count == \(count) && seen.total == \(count))\(counts ?? "")
                let change = CommittedChange(EntityReference(example.id), kind: .inserted, version: 1)
                #expect(\(isPublic ? "" : "!")\(name.type)Policy(nil).mayFollow(change))
                """)
    }

    private var listing: String {
        test(
            "users list \(name.texts)", needs: "list",
            body: """
                let list = try await service.send(.get, Self.path, as: "bob")
                #expect(list.status == .ok && list.text.contains("\\(example.id)"))
                """)
    }

    private var creation: String {
        test(
            "users create \(name.one) from the representation of another", needs: "create", "read",
            body: """
                let read = try await service.send(.get, "\\(Self.path)/\\(example.id)", as: "bob")
                // A value may be unique.
                try await service.manager.delete(example.id)
                let created = try await service.send(.post, Self.path, as: "bob", body: read.text)
                #expect(created.status == .created, "\\(created.text)")
                let again = try await service.send(.get, "\\(Self.path)/\\(created.string("id"))", as: "bob")
                #expect(again.text == created.text)
                """)
    }

    private var invalidity: String? {
        let required = fields.filter { $0.isRequired }.map { "\"/\($0.name)\"" }
        guard !required.isEmpty else { return nil }
        return test(
            "\(name.one) without required members is refused", needs: "create",
            body: """
                let invalid = try await service.send(.post, Self.path, as: "bob", body: "{}")
                #expect(invalid.status == .unprocessableContent)
                #expect(service.pointers(in: invalid) == [\(required.joined(separator: ", "))])
                #expect(try await service.manager.read(Query<\(name.type)>()).entities == [example.entity])
                """)
    }

    private var uniqueness: String? {
        // A read-only member has its default in a new entity, and no value is not compared.
        let field = fields.first { $0.isUnique && !$0.isReadOnly && !$0.isBackward(in: name.type) }
        // A group of fields may be compared first.
        guard let field, uniques.isEmpty else { return nil }
        return test(
            "no two \(name.texts) have the same \(field.text)", needs: "create", "read",
            body: """
                let read = try await service.send(.get, "\\(Self.path)/\\(example.id)", as: "bob")
                let second = try await service.send(.post, Self.path, as: "bob", body: read.text)
                #expect(second.status == .conflict && service.pointers(in: second) == ["/\(field.name)"])
                """)
    }

    private var replacement: String {
        test(
            "the representation that a client received changes nothing", needs: "read", "replace",
            body: """
                let path = "\\(Self.path)/\\(example.id)"
                let read = try await service.send(.get, path, as: "bob")
                let replaced = try await service.send(.put, path, as: "bob", ifMatch: read.tag, body: read.text)
                #expect(replaced.status == .ok && replaced.tag == read.tag && replaced.text == read.text)
                """)
    }

    private var deletion: String {
        test(
            "only operators delete \(name.texts)", needs: "delete",
            body: """
                let path = "\\(Self.path)/\\(example.id)"
                #expect(try await service.send(.delete, path, as: "bob", ifMatch: "*").status == .forbidden)
                #expect(try await service.send(.delete, path, as: "ann", ifMatch: "*").status == .noContent)
                #expect(try await service.manager.read(example.id) == nil)
                """)
    }
}

extension Field {
    /// Whether the store counts entities by the field.
    fileprivate var isCountable: Bool {
        switch kind {
        case .links, .objects, .reference, .value, .decimal, .bytes: false
        default: !isOptional
        }
    }
}
