/// The files of the domain.
extension Entity {
    /// The struct, whose initializer checks its fields.
    ///
    /// - Parameter owner: The entity that has the object; `nil` for an entity.
    func domain(owner: EntityName? = nil) -> String {
        let type = name.type
        let id = isValue ? [] : ["id: EntityID<\(type)>"]
        let parameters = id + fields.map(\.parameter) + ["limits: TextLimits = .current"]
        let properties =
            id.map { "    /// The id.\n    public let \($0)" }
            + fields.map { "    /// \($0.rule)\n    public let \($0.name): \($0.type)" }
        let checks = fields.compactMap(\.check)
        let named = fields.filter { $0.check != nil }.map { "`\($0.name)`" }
        let limited = isLimited
        let signature = limited ? parameters : parameters.dropLast()
        let checked = "\(isValue ? "valueObject: " : "")\(type).self\(limited ? ", limits" : "")"
        let check = "        let check = FieldCheck(\(checked))"
        let assignments =
            (checks.isEmpty ? [] : [check]) + id.map { _ in "        self.id = id" } + fields.map(\.assignment)
        let errors = named.isEmpty ? [] : ["    /// - Throws: `InvalidField` naming \(Self.choice(named))."]
        let limits = limited ? ["    /// - Parameter limits: `.stored` for texts that a store returned."] : []
        let remarks = limits + errors
        return """
            public import LarderDomain

            /// \(name.one.capitalizedFirst)\(owner.map { ", which \($0.one) \(isValue ? "has" : "owns")" } ?? "").
            public struct \(type): \(isValue ? "Hashable, Sendable" : "Entity") {
            \(properties.joined(separator: "\n"))

                /// Creates \(name.one).
            \(remarks.isEmpty ? "" : (["    ///"] + remarks).joined(separator: "\n") + "\n")\
            \(Self.signature(Array(signature)))
            \(assignments.joined(separator: "\n"))
                }
            }
            \(fields.compactMap { $0.enumeration(of: name) }.joined())
            """
    }

    /// Whether the initializer checks texts.
    var isLimited: Bool { fields.contains { $0.kind == .string && !$0.isAdopted } }

    func repository() -> String {
        let queries = fields.compactMap { field -> String? in
            guard case .reference(let target) = field.kind else { return nil }
            let sort = sortField.map { ", sort: [Sort(\\.\($0.name))]" } ?? ""
            return """

                    /// The \(name.texts) whose \(field.text) is the given one.
                    public func with(\(field.name) id: EntityID<\(target)>) async throws(PersistencyError) -> [Stored<\(name.type)>] {
                        try await read(Query(#Predicate { $0.\(field.name) == id }\(sort))).items
                    }

                """
        }
        let foundation = queries.isEmpty ? "" : Self.foundation("internal")
        return """
            public import LarderDomain
            \(foundation)
            /// The repository of \(name.texts).
            public struct \(name.plural): EntityRepository {
                public typealias Model = \(name.type)

                public let manager: any PersistencyManager

                /// The \(name.texts) of a manager.
                public init(_ manager: any PersistencyManager) {
                    self.manager = manager
                }
            \(queries.joined())}

            """
    }

    func policy() -> String {
        let permissions =
            isPublic
            ? "all callers read and follow them, users create and change them, operators delete them."
            : "users read, create and change them, operators delete them."
        let visible = isPublic ? "[]" : "caller == nil ? [Self.nothing] : []"
        let follow =
            !isPublic
            ? ""
            : """
                public func mayFollow(_ change: CommittedChange) -> Bool { true }
                public var mayFollowRemovals: Bool { true }

            """
        return """
            public import LarderDomain
            \(Self.foundation("public"))
            /// The permissions on \(name.texts): \(permissions)
            public struct \(name.type)Policy: AccessPolicy {
                private let caller: User?

                /// Creates the policy of a caller; `nil` is an anonymous one.
                public init(_ caller: User?) {
                    self.caller = caller
                }

                public var visible: [Predicate<\(name.type)>] { \(visible) }
                public func mayRead(_ \(name.variable): \(name.type)) -> Bool { \(isPublic ? "true" : "caller != nil") }
                public var mayCreateSome: Bool { caller != nil }
                public var mayUpdateSome: Bool { caller != nil }
                public func mayCreate(_ \(name.variable): \(name.type)) -> Bool { caller != nil }
                public func mayUpdate(_ old: \(name.type), to new: \(name.type)) -> Bool { caller != nil }
                public func mayDelete(_ \(name.variable): \(name.type)) -> Bool { caller?.isOperator ?? false }
            \(follow)}

            """
    }

    static func foundation(_ access: String) -> String {
        """

        #if canImport(FoundationEssentials)
        \(access) import FoundationEssentials
        #else
        \(access) import Foundation
        #endif

        """
    }

    static func choice(_ names: [String]) -> String {
        names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// A call, in one line if it fits.
    static func call(_ function: String, _ arguments: [String], indent: Int, end: String = "") -> String {
        let line = String(repeating: " ", count: indent) + "\(function)(\(arguments.joined(separator: ", ")))\(end)"
        guard line.count > 120 else { return line }
        return String(repeating: " ", count: indent) + "\(function)(\n" + wrapped(arguments, indent: indent + 4)
            + ")\(end)"
    }

    /// A list after the start of a line, in one line if it has one element and fits.
    static func list(_ start: String, _ elements: [String], indent: Int, end: String = "") -> String {
        let line = "\(start)[\(elements.joined(separator: ", "))]\(end)"
        if elements.count == 1, line.count <= 120 { return line }
        let space = String(repeating: " ", count: indent)
        return "\(start)[\n" + elements.map { "\(space)    \($0),\n" }.joined() + "\(space)]\(end)"
    }

    private static func signature(_ parameters: [String]) -> String {
        let line = "    public init(\(parameters.joined(separator: ", "))) throws(InvalidField) {"
        guard line.count > 120 else { return line }
        return "    public init(\n\(wrapped(parameters, indent: 8))\n    ) throws(InvalidField) {"
    }

    /// A list of parameters or arguments, in lines of at most 120 columns.
    static func wrapped(_ elements: [String], indent: Int) -> String {
        var lines: [String] = []
        for element in elements {
            if let last = lines.last, last.count + element.count + 2 <= 118 - indent {
                lines[lines.count - 1] = last + ", " + element
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "," }
                lines.append(element)
            }
        }
        return lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }
}

extension Field {
    /// The type of the property.
    var type: String {
        let type =
            switch kind {
            case .string: "String"
            case .int: "Int"
            case .double: "Double"
            case .bool: "Bool"
            case .day: "CalendarDay"
            case .instant: "Timestamp"
            case .bytes: "[UInt8]"
            case .choice(let type, _): type
            case .reference(let target): "EntityID<\(target)>"
            case .links(let target): "[EntityID<\(target)>]"
            case .objects(let type, _): "[\(type)]"
            case .decimal: "ExactDecimal"
            case .value(let type, _): type
            }
        return type + (isOptional ? "?" : "")
    }

    /// The words of the name.
    var text: String { EntityName.words(name).joined(separator: " ") }

    /// The rule for its values.
    var rule: String {
        let rule =
            switch kind {
            case .string: isAdopted ? "Any text" : "1 to 200 characters, not blank"
            case .int: isAdopted ? "Any integer" : "0 to 1,000,000"
            case .double: isAdopted ? "Any finite number" : "A finite number of at least 0"
            case .bytes: "Bytes"
            case .bool:
                ["is", "has", "may", "can"].contains { text.hasPrefix($0 + " ") }
                    ? "Whether it \(text)" : "Whether it is \(text)"
            case .day: "A day"
            case .instant: "A point in time"
            case .choice(_, let cases): Entity.choice(cases).capitalizedFirst
            case .reference(let target): "The id of \((try? EntityName(target).one) ?? target)"
            case .links(let target):
                "The ids of at most \(limit.replacing("_", with: ",")) \((try? EntityName(target).texts) ?? target), distinct"
            case .objects: "At most 1,000, in order"
            case .decimal(let scale):
                (isAdopted ? "A decimal with" : "At least 0, with")
                    + " \(scale) \(scale == 1 ? "digit" : "digits") after the point"
            case .value(let type, _): ((try? EntityName(type).one) ?? type).capitalizedFirst
            }
        let remarks = [
            isUnique ? "; no two have the same" : "", isReadOnly ? "; no client sets it" : "",
            isOptional ? "; `nil` if it is unknown" : initial.map { "; \($0) by default" } ?? "",
        ]
        return rule + remarks.joined() + "."
    }

    var parameter: String {
        "\(name): \(type)\(isOptional ? " = nil" : isList || kind == .bytes ? " = []" : literal.map { " = \($0)" } ?? "")"
    }

    /// The enum of its values; `nil` for other types.
    fileprivate func enumeration(of owner: EntityName) -> String? {
        choice.map { type, cases in
            """

            /// The \(text) of \(owner.one).
            public enum \(type): String, CaseIterable, Codable, Sendable {
                case \(cases.joined(separator: ", "))
            }

            """
        }
    }

    /// The call that checks the value; `nil` if each value is valid.
    var check: String? {
        switch kind {
        case .string where isAdopted, .int where isAdopted, .double where isAdopted: nil
        case .string: "check.text(\(name), \"\(name)\", atMost: 200)"
        case .int: "check.number(\(name), \"\(name)\", in: 0...1_000_000)"
        case .double: "check.number(\(name), \"\(name)\", atLeast: 0)"
        case .links: "check.distinct(\(name), \"\(name)\", atMost: \(limit))"
        case .decimal(let scale):
            "check.decimal(\(name), \"\(name)\", scale: \(scale), atLeast: "
                + (isAdopted ? "ExactDecimal(units: .min, scale: 0))" : "0)")
        case .objects: "check.distinct(\(name).map(\\.id), \"\(name)\", atMost: 1_000)"
        default: nil
        }
    }

    /// The statements of the initializer.
    fileprivate var assignment: String {
        guard let check else { return "        self.\(name) = \(name)" }
        switch kind {
        case .string, .decimal: return "        self.\(name) = try \(check)"
        default: return "        try \(check)\n        self.\(name) = \(name)"
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
