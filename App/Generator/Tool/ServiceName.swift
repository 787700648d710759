import Foundation

/// The names of a service, derived from one that a user chose.
struct ServiceName: Equatable {
    /// The command, the package and the folder of the data: lower-case ASCII letters, digits and hyphens.
    let command: String
    /// The start of the names of modules, a Swift identifier.
    let prefix: String
    /// The name for people.
    let title: String
    /// The prefix of environment variables, as in `ServiceIdentity`.
    var variables: String {
        let word = command.replacing("-", with: "_").uppercased()
        return (word.first?.isNumber ?? false ? "_" : "") + word + "_"
    }

    /// The start of the names of modules that exist: the kit's, and `SwiftData` and `CoreData` of Apple's systems.
    private static let taken: Set = ["Larder", "Swift", "Core"]

    /// - Parameter isTaken: Whether other modules that would be in the build start with a text.
    /// - Throws: `Refusal` if nothing remains of the name in ASCII, or if it is no name of a folder.
    init(_ name: String, isTaken: (String) -> Bool = { _ in false }) throws {
        guard !name.contains("/"), !name.utf8.contains(where: { $0 < 32 || $0 == 127 }), name.utf8.count <= 100 else {
            throw Refusal("invalid NAME '\(name)': use at most 100 bytes, without '/' and control characters")
        }
        let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let ascii = words.map(Self.ascii).filter { !$0.isEmpty }
        guard !ascii.isEmpty else {
            throw Refusal(
                "invalid NAME '\(name)': use at least one letter from A to Z, or a digit; AT may be any folder")
        }
        command = ascii.joined(separator: "-").lowercased()
        title = words.map(Self.capitalized).joined(separator: " ")
        let joined = ascii.map(Self.capitalized).joined()
        // An identifier does not start with a digit.
        let isFree = !Self.taken.contains(joined) && !isTaken(joined) && joined.first.map(\.isLetter) ?? false
        prefix = isFree ? joined : "Service" + joined
    }

    /// The names of a service that exists.
    ///
    /// - Parameter prefix: The start of the names of its modules.
    init(prefix: String, command: String, title: String) {
        (self.prefix, self.command, self.title) = (prefix, command, title)
    }

    /// A text of the template with the names of the service.
    func applied(to text: String) -> String {
        var text = text
        for layer in ["Domain", "Data", "App", "Tests"] {
            text = text.replacing("Loans\(layer)", with: "\u{0}\(layer)")
        }
        text = text.replacing("Loans", with: title).replacing("LOANS_", with: variables)
            .replacing("loans", with: command).replacing("\u{0}", with: prefix)
        return Imports.sorted(in: text)
    }

    /// The letters without accents; others are omitted.
    static func ascii(_ text: String) -> String {
        let scalars = text.decomposedStringWithCompatibilityMapping.unicodeScalars
        return String(
            String.UnicodeScalarView(
                scalars.filter { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
