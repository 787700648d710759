#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import LarderDomain

extension Entity {
    /// The predicate that a column has a value, both given as text; for command lines and other tools of operators.
    ///
    /// It can be combined with every other predicate of a query. The manager that runs the query finds the column in the
    /// schema. The query throws `invalid` for an unknown column, and for a text that is not of the column's type:
    ///
    /// | Type | Text |
    /// |---|---|
    /// | integer, real, decimal | a number: `4`, `2.5` |
    /// | Boolean | `true` or `false` |
    /// | instant | RFC 3339: `2026-03-01T18:30:00Z` |
    /// | day | `2026-03-01` |
    /// | id, reference | the id |
    /// | text | itself, also when it is empty; compares by its canonical composition (NFC) |
    ///
    /// Blobs, lists of owned objects and links cannot be looked up.
    ///
    /// - Parameters:
    ///   - column: The name of a column of the entity's schema, or `id`.
    ///   - text: The value; `nil` for no value. The empty text also means no value, except in a column of texts.
    public static func predicate(column: String, equals text: String?) -> Predicate<Self> {
        Predicate { _ in ColumnLookup(column: column, text: text) }
    }
}

extension EntityRepository {
    /// One page of the entities whose column has a value, both given as text. See ``Entity/predicate(column:equals:)``.
    ///
    /// - Parameters:
    ///   - column: The name of the column.
    ///   - text: The value; `nil` for no value.
    ///   - query: Further predicates, the order and the page.
    /// - Complexity: O(*n*) for *n* entities, unless the column has an index.
    public func find(
        _ column: String, equals text: String?, in query: Query<Model> = Query()
    ) async throws(PersistencyError) -> QueryPage<Model> {
        try await read(query.and(Model.predicate(column: column, equals: text)))
    }
}

/// A comparison with a column that the schema identifies by name when the predicate is lowered.
///
/// `Predicate` requires the coding of its parts.
struct ColumnLookup: StandardPredicateExpression, LowerableExpression {
    let column: String
    let text: String?

    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let schema = lowering.schema
        if column == "id" {
            let id = try schema.value(text, Column(name: "id", type: .id))
            return .truth(.compare(.id, .equal, .literal(id)))
        }
        guard let index = schema.index(ofColumn: column) else {
            let names = (["id"] + schema.columns.map(\.name)).joined(separator: ", ")
            throw schema.refusal(of: column, "is not a column; the columns are \(names)")
        }
        let value = try schema.value(text, schema.columns[index])
        return .truth(.compare(.column(index), .equal, .literal(value)))
    }

    /// Without a schema, there is nothing to compare. No store evaluates a predicate.
    func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        throw PersistencyError.unsupportedQuery("a lookup by column outside a query")
    }
}

extension EntitySchema {
    fileprivate func value(_ text: String?, _ column: Column) throws(PersistencyError) -> Value {
        if let text, column.type == .text || !text.isEmpty {
            do {
                return try column.value(of: text)
            } catch {
                throw refusal(of: column.name, error.reason)
            }
        }
        guard column.isNullable else { throw refusal(of: column.name, "always has a value; look for one") }
        return .null
    }

    fileprivate func refusal(of column: String, _ reason: String) -> PersistencyError {
        .invalid(InvalidField(entity: name, field: column, reason: reason))
    }
}
