internal import LarderApp
internal import LarderDomain

extension ResourceMember {
    /// The values of a member, as JSON schemas of the same type in a representation and in a body.
    public struct Values: Sendable {
        let shown: [JSON.Member]
        let sent: [JSON.Member]
        /// The members of the objects, and the name of their schema.
        let parts: [ResourceMember]
        let partKind: String

        private init(
            _ shown: [JSON.Member], sent: [JSON.Member]? = nil, parts: [ResourceMember] = [], partKind: String = ""
        ) {
            (self.shown, self.sent, self.parts, self.partKind) = (shown, sent ?? shown, parts, partKind)
        }

        private init(type: String, _ members: JSON.Member...) {
            self.init([.init("type", .string(type))] + members)
        }

        /// Values of a schema in the document.
        public static func named(_ schema: String) -> Values { Values([.init("$ref", .string(schema))]) }

        /// A text that is not blank, with at most `length` code points.
        public static func text(_ length: Int) -> Values {
            Values([.init("$ref", .string("Text")), .init("maxLength", .integer(Int64(length)))])
        }

        /// A string that a regular expression matches.
        public static func string(pattern: String) -> Values {
            Values(type: "string", .init("pattern", .string(pattern)))
        }

        /// One of some strings.
        public static func oneOf(_ strings: [String]) -> Values {
            Values(type: "string", .init("enum", .array(strings.map(JSON.string))))
        }

        /// An integer in a range.
        public static func integer(_ range: ClosedRange<Int>) -> Values {
            Values(
                type: "integer", .init("minimum", .integer(Int64(range.lowerBound))),
                .init("maximum", .integer(Int64(range.upperBound))))
        }

        /// A finite number of at least `least`.
        public static func number(atLeast least: Int) -> Values {
            Values(type: "number", .init("minimum", .integer(Int64(least))))
        }

        /// A decimal number with at most `scale` digits after the point, of at least `least`.
        public static func decimal(scale: Int, atLeast least: Int) -> Values {
            Values(
                type: "number", .init("minimum", .integer(Int64(least))),
                .init("multipleOf", .decimal(ExactDecimal(units: 1, scale: scale))))
        }

        /// `true` or `false`.
        public static let flag = Values(type: "boolean")
        /// An id.
        public static let id = named("ID")
        /// An instant.
        public static let instant = named("Instant")
        /// A day: `2026-03-01`.
        public static let day = Values(type: "string", .init("format", .string("date")))
        /// The id of an object in a list, which a client may repeat.
        public static let partID = Values(named("AssignedID").shown, sent: id.shown)

        /// A list.
        ///
        /// - Parameters:
        ///   - values: The values of an element.
        ///   - count: The maximum number of elements.
        ///   - isSet: Whether a body may name a value only once.
        public static func list(of values: Values, atMost count: Int, isSet: Bool = false) -> Values {
            Values(array(values.shown, count), sent: array(values.sent, count, isSet: isSet))
        }

        /// A list of objects that belong to the entity.
        ///
        /// - Parameters:
        ///   - kind: The name of their schema. In a body it is `<kind>Content`.
        ///   - count: The maximum number of objects.
        ///   - isSet: Whether a body may name an object only once.
        ///   - members: The members of an object.
        public static func objects(
            _ kind: String, atMost count: Int, isSet: Bool = false, _ members: [ResourceMember]
        ) -> Values {
            Values(
                array(named(kind).shown, count), sent: array(named("\(kind)Content").shown, count, isSet: isSet),
                parts: members, partKind: kind)
        }

        /// A value object. A patch may name some of its members only, which the schema does not show.
        ///
        /// - Parameters:
        ///   - kind: The name of its schema. In a body it is `<kind>Content`.
        ///   - members: Its members.
        public static func object(_ kind: String, _ members: [ResourceMember]) -> Values {
            Values(named(kind).shown, sent: named("\(kind)Content").shown, parts: members, partKind: kind)
        }

        private static func array(_ items: [JSON.Member], _ count: Int, isSet: Bool = false) -> [JSON.Member] {
            [
                .init("type", .string("array")), .init("maxItems", .integer(Int64(count))),
                .init("items", .object(items)),
            ] + (isSet ? [.init("uniqueItems", .bool(true))] : [])
        }
    }
}
