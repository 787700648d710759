import ArgumentParser
import LarderDomain
import LarderTesting

@testable import CookbookApp
@testable import CookbookDomain
@testable import LarderApp

/// A text field with the code that reads it, without code that blocks: network, files, stores.
struct TextReader: CustomStringConvertible, Sendable {
    let description: String
    /// The maximum code points of the value.
    let limit: Int
    /// The maximum bytes of the input that contains it.
    let most: Int
    /// Decodes an input with a given text in this field.
    let read: @Sendable (String) -> Void

    /// All text fields of request bodies, imports and command lines.
    static func all(in http: CookbookHarness) throws -> [TextReader] {
        try TextField.all(in: http).map(body) + ImportField.all.map(imported) + lines.map(command)
    }

    private static func body(_ field: TextField) -> TextReader {
        TextReader(
            description: "body: \(field)", limit: field.limit, most: ThreadTime.isFull ? 250_000 : 20_000
        ) { text in
            let json = field.body(text)
            // The JSON parser is tested as a separate decoder, and is slow without optimization.
            guard ThreadTime.isFull else { return field.read(json) }
            guard let parsed = try? JSON(parsing: json.bytes()) else { return }
            field.read(parsed)
        }
    }

    private static func imported(_ field: ImportField) -> TextReader {
        TextReader(
            description: "import: \(field.property)", limit: 200, most: ThreadTime.isFull ? 1_000_000 : 8_000
        ) { text in
            for item in RecipeItem.items(in: LineCutter.Line(number: 1, bytes: field.recipe(text).bytes())) {
                guard case .recipe(let result) = item.content, let names = try? result.draft.distinctTags(),
                    let tags = try? names.map({ try Tag(id: EntityID(Self.id), name: $0) })
                else { continue }
                _ = try? result.draft.recipe(
                    from: nil, tags: tags.map(\.id), owner: nil, ids: CountingIDs(),
                    now: Timestamp(microseconds: 0))
            }
        }
    }

    private static let id = RawID(high: 1, low: 1)

    /// Command lines; the text is the last argument.
    private static let lines = [["list", "--name"], ["tags", "rename", "a"]]

    /// On Linux one argument has at most 131,072 bytes.
    private static func command(_ line: [String]) -> TextReader {
        TextReader(
            description: "command: \(line.joined(separator: " "))", limit: 200,
            most: ThreadTime.isFull ? 131_000 : 8_000
        ) { text in
            guard CommandFailure.longCombiningRun(in: line + [text]) == nil else { return }
            _ = try? Larder.parseAsRoot(line + [text])
        }
    }
}
