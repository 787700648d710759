#if Postgres
import LarderDomain
import LarderPostgres
import Testing

/// Connection strings. No test needs a server.
struct PostgresAddressTests {
    private static let secret = "s3cret"

    @Test(arguments: [
        ("postgres://ada:s3cret@db.example:5433/cook", "postgres://ada@db.example:5433/cook"),
        ("postgresql://ada@db.example", "postgres://ada@db.example/"),
        ("", "postgres:///"),
        ("host=/run/pg dbname='my db' user=ada password='s3cret'", "postgres://ada@%2Frun%2Fpg/my%20db"),
        (
            "host=a,b port=1,2 dbname=cook target_session_attrs=read-write sslpassword=s3cret",
            "postgres://a:1,b:2/cook?target_session_attrs=read-write"
        ),
        ("host=a,b,c port=5433 dbname=cook", "postgres://a,b,c/cook?port=5433"),
        ("postgres://a,b:5433/cook", "postgres://a,b:5433/cook"),
        ("postgres://[::1]:5433/cook?sslmode=verify-full", "postgres://[::1]:5433/cook?sslmode=verify-full"),
        ("hostaddr=127.0.0.1 port=5433", "postgres://:5433/?hostaddr=127.0.0.1"),
        ("postgres://ada:p%40%2F%3As3cret@%2Ftmp/cook?passfile=/x", "postgres://ada@%2Ftmp/cook"),
        ("postgres:///cook?host=/tmp&user=%C3%A4da&password=s3cret", "postgres://%C3%A4da@%2Ftmp/cook"),
        ("service=main", "postgres:///?service=main"),
        ("postgres://ada:s3cret?x@db/my@cook", "postgres://ada@db/my%40cook"),
    ])
    func `the description is an address without the password`(text: String, description: String) throws {
        let address = try PostgresAddress(text)
        #expect(address.connection == text)
        #expect(address.description == description)
        #expect(address.hasPassword == text.contains(Self.secret))
        // The description is an address of the same place.
        #expect(try PostgresAddress(description).description == description)
        #expect(try address == PostgresAddress(text) && address != PostgresAddress("dbname=another"))
        expectNoSecret(in: address)
        expectNoSecret(in: PostgresStore.Configuration(text))
    }

    @Test(arguments: [
        ("cook", "without '='"),
        ("host=a password=s3cret and more", "without '='"),
        ("password='s3cret", "quote"),
        ("password=a s3cret=b", "unknown setting:"),
        ("hots=a", "unknown setting 'hots'"),
        ("postgres://a/b?sslmod=require", "unknown setting 'sslmod'"),
        ("postgres://ada:b@c/d?x=1&s3cret=2", "unknown setting:"),
        ("postgres://ada:s3cret%@db/cook", "%25"),
        ("postgres://ada:s3cret%00@db/cook", "U+0000"),
        ("host=a\u{0}password=s3cret", "U+0000"),
        ("postgres://ada:a@s3cret@db/cook", "%40"),
        ("postgres://ada:s3cret/a@db/cook", "%2F"),
        ("postgres://ada:s3cret", "port"),
        ("host=a port=s3cret", "port"),
        ("host=a port=0", "65535"),
        ("host=a port=1,65536", "65535"),
        ("postgres://[s3cret", "no ']'"),
        ("postgres://[]/s3cret", "empty"),
        ("postgres://[::1]s3cret", "after ']'"),
        ("postgres://a/b?s3cret", "without '='"),
        ("postgres://a/b?user=s3cret=c", "%3D"),
    ])
    func `an invalid connection string is refused with the fault, and is not quoted`(text: String, fault: String) {
        let error = #expect(throws: PersistencyError.self) { try PostgresAddress(text) }
        guard case .unavailable(let trouble)? = error else { Issue.record("\(error as Any)"); return }
        #expect(trouble.message.hasPrefix("invalid connection string of PostgreSQL: ") && trouble.cause == nil)
        #expect(trouble.message.contains(fault), "\(trouble.message)")
        expectNoSecret(in: trouble)
        let configuration = PostgresStore.Configuration(text, schema: "larder")
        expectNoSecret(in: configuration)
        #expect("\(configuration)" == "an invalid connection string, schema larder")
    }

    private func expectNoSecret(in value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        for text in ["\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped] {
            #expect(!text.contains(Self.secret))
        }
    }
}
#endif
