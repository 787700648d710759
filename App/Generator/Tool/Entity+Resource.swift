/// The resource.
extension Entity {
    func resource(_ prefix: String) -> String {
        let sort = sortField.map { "Query(sort: [Sort(\\.\($0.name))])" } ?? "Query()"
        let members = ["        .id,"] + fields.map { "        \($0.member)," }
        let represented = ["id"] + fields.map(\.name)
        let json = zip(represented, ["\(name.variable).id.description"] + fields.map { "\(name.variable).\($0.name)" })
        let values = json.enumerated().map { index, pair in
            let value = index == 0 ? ".string(\(pair.1))" : fields[index - 1].json(pair.1)
            return "                    .init(\"\(pair.0)\", \(value)),"
        }
        return """
            import LarderApp
            import LarderData
            import LarderDomain
            import LarderHTTP
            import \(prefix)Data
            import \(prefix)Domain
            \(fields.contains { $0.kind == .bytes } ? Self.foundation("internal") : "")
            /// \(name.texts.capitalizedFirst) over HTTP.
            enum \(name.type)Resource: Resource {
                static let name = "\(name.collection)"
            \(hasAllVerbs ? "" : "    static let verbs: Set<ResourceVerb> = [\(verbs.map { ".\($0)" }.joined(separator: ", "))]\n")\
                static let members: [ResourceMember] = [
            \(members.joined(separator: "\n"))
                ]
                static let fingerprint = SchemaFingerprint(
                    \(name.type)Mapper.mapping.schema, members: members, evolution: Entities.evolution)
                static let isPrivate = \(!isPublic)

                static func repository(in scope: Scope) -> any EntityRepository<\(name.type)> { \(name.plural)(scope.manager) }

                static func filter(from parameters: inout QueryParameters) throws -> Query<\(name.type)> {
                    \(sort)
                }

                static func represent(_ items: [Stored<\(name.type)>], in scope: Scope) -> [Representation] {
                    items.map { \(name.variable) in
                        Representation(
                            json: .object([
            \(values.joined(separator: "\n"))
                            ]))
                    }
                }

                static func entity(
                    from fields: inout JSONFields, replacing old: \(name.type)?, in scope: Scope
                ) throws(InvalidFields) -> \(name.type) {
            \(reading(indent: 8, ids: "scope.ids"))
            \(made(id: "old?.id ?? scope.ids.next()"))
                }
            \(objects.map(\.partOfResource).joined())}

            """
    }

    var required: [Field] { fields.filter(\.isRequired) }

    func reading(indent: Int, ids: String) -> String {
        fields.filter { !$0.isReadOnly }.map { field in
            let value = field.reading(ids)
            return String(repeating: " ", count: indent)
                + "let \(field.name) =\(value.hasPrefix("\n") ? "" : " ")\(value)"
        }.joined(separator: "\n")
    }

    /// The arguments of the initializer. A member that no client sets keeps its value.
    var arguments: [String] {
        fields.map { field in
            guard field.isReadOnly else { return "\(field.name): \(field.name)" }
            let initial = field.isList ? "[]" : field.literal
            return "\(field.name): old?.\(field.name)" + (initial.map { " ?? \($0)" } ?? "")
        }
    }

    private func made(id: String) -> String {
        let call = Self.call("try \(name.type)", ["id: \(id)"] + arguments, indent: 12)
        let names = required.map(\.name).joined(separator: ", ")
        if required.isEmpty {
            return """
                        let \(name.variable) = fields.made { () throws(InvalidField) in
                \(call)
                        }
                        return try fields.check(\(name.variable))
                """
        }
        let start = "        return try fields.make(\(names)) {"
        let space = start.count + names.count + 26 > 120 ? "\n            " : " "
        return """
            \(start)\(space)\(names) throws(InvalidField) in
            \(call)
                    }
            """
    }
}

extension Field {
    /// The member of the resource.
    var member: String {
        let values =
            switch kind {
            case .string: isAdopted ? ".string(pattern: \"^\")" : ".text(200)"
            case .int: isAdopted ? ".integer(.min ... .max)" : ".integer(0...1_000_000)"
            case .double: ".number(atLeast: \(isAdopted ? ".min" : "0"))"
            case .bytes: ".string(pattern: \"^[A-Za-z0-9+/]*=*$\")"
            case .bool: ".flag"
            case .day: ".day"
            case .instant: ".instant"
            case .choice(let type, _): ".oneOf(\(type).allCases.map(\\.rawValue))"
            case .reference: ".id"
            case .links: ".list(of: .id, atMost: \(limit), isSet: true)"
            case .objects(let type, _):
                ".objects(\"\(type)\", atMost: 1_000, \((try? EntityName(type).variable) ?? type)Members)"
            case .value(let type, _): ".object(\"\(type)\", \((try? EntityName(type).variable) ?? type)Members)"
            case .decimal(let scale):
                ".string(pattern: #\"^\(isAdopted ? "-?" : "")[0-9]+\(scale == 0 ? "" : "(\\.[0-9]{1,\(scale)})?")$\"#)"
            }
        let access =
            if isReadOnly { isOptional ? "optionalReadOnly" : "readOnly" } else {
                isOptional ? "optional" : isRequired ? "required" : "defaulted"
            }
        return ".init(\"\(name)\", \(values), .\(access))"
    }

    /// The value in JSON.
    func json(_ value: String) -> String {
        switch kind {
        case .links: return ".array(\(value).map { .string($0.description) })"
        case .objects: return ".array(\(value).map(json))"
        case .value: return isOptional ? "\(value).map(json) ?? .null" : "json(\(value))"
        default: break
        }
        func text(_ value: String) -> String {
            switch kind {
            case .string: ".string(\(value))"
            case .int: ".integer(Int64(\(value)))"
            case .double: ".number(\(value))"
            case .bool: ".bool(\(value))"
            case .choice: ".string(\(value).rawValue)"
            case .bytes: ".string(Data(\(value)).base64EncodedString())"
            default: ".string(\(value).description)"
            }
        }
        return isOptional ? "\(value).map { \(text("$0")) } ?? .null" : text(value)
    }

    /// The call that reads the value from a body.
    fileprivate func reading(_ ids: String) -> String {
        let initial = literal.map { " ?? \($0)" } ?? ""
        func call(_ reader: String, _ more: String = "") -> String {
            let name = isRequired ? "required" + reader.capitalizedFirst : reader
            return "fields.\(name)(\"\(self.name)\"\(more))" + initial
        }
        switch kind {
        case .string: return call("string")
        case .int: return call("integer")
        case .double: return call("number")
        case .bool: return call("bool")
        case .bytes:
            return """
                fields.parsed("\(name)", "must be bytes in base64") {
                            Data(base64Encoded: $0).map { [UInt8]($0) }
                        }\(isOptional ? "" : " ?? []")
                """
        case .day: return call("parsed", ", \"must be a day, such as 2026-03-01\", CalendarDay.init")
        case .instant:
            let reader = isOptional ? "parsed" : "requiredParsed"
            return """
                fields.\(reader)(
                            "\(name)", "must be an instant, such as 2026-03-01T12:00:00Z", Timestamp.init(rfc3339:))
                """
        case .choice(let type, let cases):
            let reader = isRequired ? "requiredParsed" : "parsed"
            let form = "\"must be \(Entity.choice(cases))\""
            let call = "fields.\(reader)(\"\(name)\", \(form), \(type).init(rawValue:))\(initial)"
            return (call.count + name.count > 105 ? "\n            " : "") + call
        case .reference(let target):
            let name = isOptional ? "id" : "requiredID"
            return "fields.\(name)(\"\(self.name)\", of: \(target).self)"
        case .decimal(let scale):
            let reader = isRequired ? "requiredParsed" : "parsed"
            let example = scale == 0 ? "12" : "12.5" + String(repeating: "0", count: scale - 1)
            let form = "\"must be a decimal, such as \(example)\""
            let call = "fields.\(reader)(\"\(name)\", \(form)) { ExactDecimal($0) }\(initial)"
            return (call.count + name.count > 101 ? "\n            " : "") + call
        case .value(let type, _):
            let reader = isRequired ? "requiredObject" : "object"
            return "fields.\(reader)(\"\(name)\", Self.\((try? EntityName(type).variable) ?? type)(from:))"
        case .links(let target): return "fields.ids(\"\(name)\", of: \(target).self) ?? []"
        case .objects(let type, _):
            let reader = (try? EntityName(type).variable) ?? type
            return """

                            fields.objects("\(name)") { fields in
                                \(reader)(from: &fields, replacing: old?.\(name) ?? [], \(ids))
                            } ?? []
                """
        }
    }
}
