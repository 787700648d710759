public import LarderApp

/// The OpenAPI document of a service: the operations, parameters, headers, problems and schemas of the kit, overlaid by
/// the service's part.
public struct APIDocument: Sendable {
    /// The document.
    public let json: JSON

    /// - Parameters:
    ///   - identity: The name in the title, the realm, the tokens and the name of operators.
    ///   - own: The service's parts, OpenAPI documents in JSON without the kit's part. Objects are merged with the
    ///     kit's, the elements of lists precede the kit's, and other values replace the kit's. Shorthand: a name
    ///     instead of an object refers to a component; `headers` is a list of names; `statuses` lists the problems of
    ///     an operation.
    ///   - resources: The resources whose ``ResourceRoutes`` are among the routes.
    ///   - tokenOwners: The collection whose entities have tokens, if ``TokenRoutes`` are among the routes.
    ///   - followsChanges: Whether ``ChangesRoute`` is among the routes.
    ///   - assets: The names of all files at `/assets`.
    /// - Throws: `JSONError` if a part of the service is not JSON.
    /// - Complexity: Parses some tens of kilobytes; keep the value.
    public init(
        _ identity: ServiceIdentity, own: [[UInt8]] = [], resources: [any Resource.Type] = [],
        tokenOwners: String? = nil, followsChanges: Bool = true, assets: [String] = []
    ) throws(JSONError) {
        var text = String(decoding: PackageResources.kit_json, as: UTF8.self)
        let values = [
            "name": identity.name, "title": Self.escaped(identity.title), "prefix": identity.tokenPrefix,
            "operator": Self.escaped(identity.operatorRole),
            "owners": tokenOwners ?? "", "assets": assets.sorted().joined(separator: #"", ""#),
            "problems": Problem.Kind.allCases.map(\.type).joined(separator: #"", ""#),
        ]
        for (name, value) in values { text = text.replacing("{{\(name)}}", with: value) }
        let kit = try JSON(parsing: text)
        var parts = ["general"]
        if tokenOwners != nil { parts.append("tokens") }
        if followsChanges { parts.append("changes") }
        var general = parts.compactMap { kit[$0] }.reduce(JSON.object([])) { $0.overlaid(by: $1) }
        for resource in resources { general = general.overlaid(by: try resource.documentPart()) }
        for part in own { general = general.overlaid(by: try JSON(parsing: part)) }
        json = general.writtenOut()
    }

    /// A text, escaped as in a JSON string, without the quotes.
    private static func escaped(_ text: String) -> String {
        String(String(decoding: JSON.string(text).bytes(), as: UTF8.self).dropFirst().dropLast())
    }
}
