import LarderApp
import Testing

struct JSONMergePatchTests {
    /// Before, patch, after: the cases of the appendix of RFC 7396, with different words.
    static let cases: [(String, String, String)] = [
        (#"{"soup":"hot"}"#, #"{"soup":"cold"}"#, #"{"soup":"cold"}"#),
        (#"{"soup":"hot"}"#, #"{"pie":"cold"}"#, #"{"soup":"hot","pie":"cold"}"#),
        (#"{"soup":"hot"}"#, #"{"soup":null}"#, "{}"),
        (#"{"soup":"hot","pie":"cold"}"#, #"{"soup":null}"#, #"{"pie":"cold"}"#),
        (#"{"soup":["hot"]}"#, #"{"soup":"cold"}"#, #"{"soup":"cold"}"#),
        (#"{"soup":"cold"}"#, #"{"soup":["hot"]}"#, #"{"soup":["hot"]}"#),
        (#"{"soup":{"with":"salt"}}"#, #"{"soup":{"with":"mint","to":null}}"#, #"{"soup":{"with":"mint"}}"#),
        (#"{"soup":[{"with":"salt"}]}"#, #"{"soup":[1]}"#, #"{"soup":[1]}"#),
        (#"["hot","cold"]"#, #"["mild","icy"]"#, #"["mild","icy"]"#),
        (#"{"soup":"hot"}"#, #"["mild"]"#, #"["mild"]"#),
        (#"{"soup":"hot"}"#, "null", "null"),
        (#"{"soup":"hot"}"#, #""cold""#, #""cold""#),
        (#"{"pie":null}"#, #"{"soup":1}"#, #"{"pie":null,"soup":1}"#),
        ("[1,2]", #"{"soup":"hot","pie":null}"#, #"{"soup":"hot"}"#),
        ("{}", #"{"soup":{"with":{"much":null}}}"#, #"{"soup":{"with":{}}}"#),
        // Not in the appendix: order is preserved, arrays are not merged, and removing a member twice is harmless.
        (#"{"a":1,"b":2,"c":3}"#, #"{"d":4,"b":5}"#, #"{"a":1,"b":5,"c":3,"d":4}"#),
        (#"{"a":[{"b":null}]}"#, #"{"c":[{"d":null}]}"#, #"{"a":[{"b":null}],"c":[{"d":null}]}"#),
        (#"{"a":1}"#, #"{"b":null,"c":{}}"#, #"{"a":1,"c":{}}"#),
        (#"{"a":1}"#, "{}", #"{"a":1}"#),
    ]

    @Test(arguments: cases) func `a patch replaces, adds, removes and merges objects`(
        before: String, patch: String, after: String
    ) throws {
        let result = try JSON(parsing: before).merging(patch: JSON(parsing: patch))
        #expect(String(decoding: result.bytes(), as: UTF8.self) == after)
    }

    @Test func `a patch that was applied changes nothing when it is applied again`() {
        var chance = RandomJSON(seed: 7_396)
        for _ in 0..<1_000 {
            let (before, patch) = (chance.json(depth: 4), chance.json(depth: 4))
            let once = before.merging(patch: patch)
            #expect(once.merging(patch: patch) == once)
        }
    }

    @Test func `large objects are merged in proportion to their size`() {
        let members = (0..<50_000).map { JSON.Member("n\($0)", .integer(Int64($0))) }
        let removal = JSON.object(members.map { JSON.Member($0.name, .null) })
        #expect(JSON.object(members).merging(patch: removal) == .object([]))
        #expect(JSON.object(members).merging(patch: .object(members.reversed())) == .object(members))
    }
}
