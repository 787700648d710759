internal import CookbookDomain
internal import LarderApp

/// The identity of a recipe among all sources.
///
/// It is the `identifier`, else the `@id`, else the `url`, else a digest of name and author. An identifier that is
/// unique only in its source gets the host of the `url`: `7@example.org`. A fragment or a blank node (`#recipe`,
/// `_:b0`) does not identify a recipe; a fragment of a document with a `url` is one.
struct RecipeIdentity {
    let identifier: String
    let former: FormerIdentity?
    /// Whether it consists of name and author.
    let isByName: Bool
    /// The `url`, if the identity does not contain it.
    let notKept: [String]

    /// - Throws: `SchemaOrgError` for a number without exact representation: it could be confused with another one.
    init(of object: JSON, name: String, author: String?) throws(SchemaOrgError) {
        let page =
            (try? Self.text(of: "url", in: object)) ?? Self.address(object["url"])
            ?? Self.address(object["mainEntityOfPage"])
        let url = page.flatMap { SourceURL.isLocal($0) ? nil : $0 }
        var found: String?
        for key in ["identifier", "@id"] where found == nil {
            guard let text = try Self.text(of: key, in: object) else { continue }
            if !SourceURL.isLocal(text) {
                found = Self.qualified(text, url)
            } else if let url, text.hasPrefix("#") {
                found = String(url.prefix { $0 != "#" }) + text
            }
        }
        let identifier = found ?? url ?? Self.digest(name, author)
        self.identifier = identifier
        isByName = found == nil && url == nil
        let isWhole = url.map { identifier.hasPrefix($0.prefix { $0 != "#" }) } ?? true
        notKept = isWhole || object["url"] == nil ? [] : ["url"]
        let former = Self.former(of: object)
        let isSame = former?.identifier == identifier && former?.name == name && former?.author == author
        self.former = isSame ? nil : former
    }

    /// An identifier with the host of the source's URL, unless it contains a host itself.
    private static func qualified(_ identifier: String, _ url: String?) -> String {
        guard !SourceURL.isGlobal(identifier), let host = url.flatMap(SourceURL.host) else { return identifier }
        return "\(identifier)@\(host)"
    }

    /// The first text of a property, or of the value that it contains.
    private static func text(of key: String, in object: JSON) throws(SchemaOrgError) -> String? {
        for element in object[key]?.elements ?? [] {
            let value = element["value"] ?? element
            switch value {
            case .number, .decimal: throw SchemaOrgError("has an \(key) that is neither text nor a 64-bit integer")
            default: break
            }
            if let text = value.text { return text }
        }
        return nil
    }

    /// The absolute URL of a page, as a text or as the `@id` or `url` of an object.
    private static func address(_ page: JSON?) -> String? {
        let text = page?.text ?? page?["@id"]?.text ?? page?["url"]?.text
        return text.flatMap { SourceURL.host($0) == nil ? nil : $0 }
    }

    private static func digest(_ name: String, _ author: String?) -> String {
        "digest:" + StableDigest.digest(of: [name, author ?? ""])
    }

    /// The identity by the rule before hosts took part: `identifier`, else `@id`, else `url`, each unchanged, else a
    /// digest of name and author, both with HTML, and without an author that is a reference.
    private static func former(of object: JSON) -> FormerIdentity? {
        guard let name = object["name"]?.elements.first?.text else { return nil }
        let authors = object["author"]?.elements.compactMap { $0.text ?? $0["name"]?.text } ?? []
        let author = authors.isEmpty ? nil : authors.joined(separator: ", ")
        for key in ["identifier", "@id", "url"] {
            do {
                guard let text = try text(of: key, in: object) else { continue }
                return FormerIdentity(
                    identifier: text, name: name, author: author, isOfOneSource: SourceURL.isGlobal(text))
            } catch {
                return nil
            }
        }
        return FormerIdentity(identifier: digest(name, author), name: name, author: author, isOfOneSource: true)
    }
}
