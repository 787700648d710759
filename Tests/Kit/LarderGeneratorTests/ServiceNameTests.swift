import Testing

@testable import LarderGenerator

struct ServiceNameTests {
    @Test(arguments: [
        ("my-app", "my-app", "MyApp", "My App", "MY_APP_"),
        ("2fast", "2fast", "Service2fast", "2fast", "_2FAST_"),
        ("Ünï", "uni", "Uni", "Ünï", "UNI_"),
        ("Swift", "swift", "ServiceSwift", "Swift", "SWIFT_"),
        ("Data", "data", "Data", "Data", "DATA_"),
        ("class", "class", "Class", "Class", "CLASS_"),
        ("Larder", "larder", "ServiceLarder", "Larder", "LARDER_"),
        ("a \"quoted\" name", "a-quoted-name", "AQuotedName", "A Quoted Name", "A_QUOTED_NAME_"),
    ])
    func `a name becomes a command, modules, a title, and variables`(
        name: String, command: String, prefix: String, title: String, variables: String
    ) throws {
        let names = try ServiceName(name)
        #expect([names.command, names.prefix, names.title, names.variables] == [command, prefix, title, variables])
    }

    @Test(arguments: ["", "..", "---", "日本", "a/b", "a\nb", String(repeating: "a", count: 101)])
    func `a name that cannot work is refused`(name: String) {
        #expect(throws: Refusal.self) { try ServiceName(name) }
    }
}
