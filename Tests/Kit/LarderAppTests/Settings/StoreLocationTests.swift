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
    func `any other text is an error that names the fault`(text: String, reason: String) throws {
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        #expect(
            error?.description
                == "invalid store '\(text)': \(reason); use sqlite:PATH, file:DIR, postgres://…, or memory:")
    }

    @Test(arguments: ["pstgres://ada:s3cret@db/cook", "mirrored(sqlite:a, pstgres://ada:s3cret@db/cook)"])
    func `a URL with a wrong scheme is not repeated, because it may contain a password`(text: String) {
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        #expect(error?.description.contains("unknown kind 'pstgres'") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    #if Postgres
    @Test(arguments: [
        ("postgres://ada@db:5433/cook", "postgres://ada@db:5433/cook"), ("postgresql://db", "postgres://db/"),
        ("postgres://ada:s3cret@db/cook", "postgres://ada@db/cook"),
        ("postgres:host=db dbname=cook password=s3cret", "postgres://db/cook"), ("postgres:", "postgres:///"),
    ])
    func `a database is a connection string, which is written without its password`(
        text: String, description: String
    ) throws {
        let location = try StoreLocation(text, environment: environment)
        guard case .postgres(let database) = location else { Issue.record("\(location)"); return }
        #expect(location.description == description)
        #expect(database.hasPassword == text.contains("s3cret"))
        #expect((location.kind, location.missingPath) == ("postgres", nil))
    }

    @Test func `an invalid connection string is not repeated, because it may contain a password`() {
        let error = #expect(throws: StoreLocationError.self) {
            try StoreLocation("postgres:password=s3cret host", environment: environment)
        }
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.contains("without '='") == true)
    }
    #else
    @Test(arguments: ["postgres://ada:s3cret@db/cook", "postgres:host=db", "postgresql://db"])
    func `a program without PostgreSQL says so`(text: String) {
        let error = #expect(throws: StoreLocationError.self) { try StoreLocation(text, environment: environment) }
        #expect(
            error?.description == """
                invalid store: this program was built without PostgreSQL; enable the kit's trait Postgres, in a service \
                with traits: [.defaults, "Postgres"] in its manifest, in the kit's repository with --traits \
                default,Postgres
                """)
    }
    #endif

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
