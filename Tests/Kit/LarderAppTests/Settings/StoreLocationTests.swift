import LarderApp
import Testing

struct StoreLocationTests {
    private let environment = UserEnvironment(["HOME": "/ada"])

    @Test(arguments: [
        ("sqlite:a.sqlite", StoreLocation.sqlite(path: "a.sqlite")), ("sqlite:/a:b", .sqlite(path: "/a:b")),
        ("sqlite:~/a", .sqlite(path: "/ada/a")), ("memory:", .memory), ("file:a", .file(folder: "a")),
        ("file:~/a:b/", .file(folder: "/ada/a:b/")),
    ])
    func `a location is a kind and a path`(text: String, location: StoreLocation) throws {
        #expect(try StoreLocation(text, environment: environment) == location)
    }

    @Test(arguments: [
        ("", "the kind of store is missing"), ("a.sqlite", "the kind of store is missing"),
        ("sqlite:", "the path is missing"), ("sqlite:a\u{0}", "the path is missing"),
        ("file:", "the path is missing"), ("file:a\u{0}", "the path is missing"),
        ("memory:a", "memory: takes no path"), ("SQLite:a", "unknown kind 'SQLite'"),
        (":a", "unknown kind ''"),
    ])
    func `anything else names what is wrong`(text: String, reason: String) throws {
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        #expect(error?.description == "invalid store '\(text)': \(reason); use sqlite:PATH, file:DIR, or memory:")
    }

    @Test func `a location is written as it is read`() throws {
        for text in ["sqlite:/a/b", "file:/a/b", "memory:"] {
            #expect(try StoreLocation(text, environment: environment).description == text)
        }
    }

    @Test func `folders follow the environment`() {
        #expect(environment.data == "/ada/.local/share")
        #expect(environment.settings == "/ada/.config")
        let other = UserEnvironment(["HOME": "", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/settings"])
        #expect([other.home, other.data, other.settings] == [".", "/data", "/settings"])
    }
}
