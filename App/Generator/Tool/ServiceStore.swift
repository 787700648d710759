/// The kind of store of a new service's settings. The template has SQLite; PostgreSQL is some changes of it.
enum ServiceStore: String {
    case sqlite, postgres

    init(_ text: String?) throws {
        guard let store = ServiceStore(rawValue: text ?? "sqlite") else {
            throw Refusal("invalid STORE '\(text ?? "")': write STORE=sqlite, the default, or STORE=postgres")
        }
        self = store
    }

    /// The traits in the dependency on the kit.
    var traits: String { self == .postgres ? #", traits: [.defaults, "Postgres"]"# : "" }

    /// The argument of `make new`.
    var argument: String { self == .postgres ? " STORE=postgres" : "" }

    /// What the author of a service does before its first run.
    var advice: String { self == .postgres ? " README.md says how to create its database before 'make run'." : "" }

    /// The changes of the template, before the service has its names.
    var edits: [Edit] {
        guard self == .postgres else { return [] }
        return [
            Edit("Infrastructure/development.json", "sqlite:.build/development.sqlite", "postgres:///loans"),
            Edit(
                "Infrastructure/production.json",
                #""sqlite:/var/lib/loans/loans.sqlite",\#n  "durability": "full","#, #""postgres://loans@db/loans","#),
            Edit("Makefile", "SQLite's library if it is", "the libraries of SQLite and PostgreSQL if they are"),
            Edit("Makefile", "--exists sqlite3 ", "--exists sqlite3 libpq "),
            Edit("Makefile", "libsqlite3-dev", "libpq-dev libsqlite3-dev"),
            Edit("Dockerfile", "libsqlite3-dev", "libpq-dev libsqlite3-dev"),
            Edit("Dockerfile", "libsqlite3-0", "libpq5 libsqlite3-0"),
            Edit("Dockerfile", "docker run -p 127.0.0.1:8080:8080 -v loans:/var/lib/loans", Self.run),
            Edit("Dockerfile", "# The database is in this folder. Keep it in a volume.\nVOLUME /var/lib/loans\n", ""),
            Edit(".github/workflows/ci.yml", "libsqlite3-dev", "libpq-dev libsqlite3-dev"),
            Edit(".github/workflows/ci.yml", "    timeout-minutes: 30\n", "    timeout-minutes: 30\n" + Self.server),
            Edit(".github/workflows/ci.yml", "      - run: make test\n", "      - run: make test\n" + Self.check),
            Edit("README.md", "SQLite's library if it is", "the libraries of SQLite and PostgreSQL if they are"),
            Edit("README.md", "## The layers\n", Self.readme + "## The layers\n"),
        ]
    }

    /// Files that the template does not have, with the names of the template.
    var files: [(path: String, text: String)] { self == .postgres ? [("compose.yml", Self.compose)] : [] }

    private static let run = "see compose.yml, or docker run -p 127.0.0.1:8080:8080 -e LOANS_STORE=… -e PGPASSWORD"

    /// The server of CI, which only the job's own containers reach.
    private static let server = """
            services:
              postgres:
                image: postgres:17
                env:
                  POSTGRES_USER: "loans"
                  POSTGRES_HOST_AUTH_METHOD: trust
                  POSTGRES_INITDB_ARGS: -c fsync=off
                options: >-
                  --health-cmd "pg_isready --host 127.0.0.1 --username loans"
                  --health-interval 2s --health-timeout 5s --health-retries 30

        """

    private static let check = """
              # The laws of stores, on the server.
              - run: $(swift build --show-bin-path)/loans check --store postgres://loans@postgres/loans

        """

    private static let readme = """
        ## PostgreSQL

        `make run` stores in the database `loans` of a server on this machine, which it reaches through the local socket as
        you, without a password. Once, on Debian and its kin:

        ```sh
        sudo apt-get install postgresql
        sudo -u postgres createuser --createdb "$USER"
        createdb --template template0 --encoding UTF8 loans
        ```

        `LOANS_STORE=postgres://user@host/database make run` uses another one, with the password in `PGPASSWORD` or
        `~/.pgpass`. `"$(swift build --show-bin-path)/loans" check --store postgres:///loans` judges the store by its laws, in
        temporary schemas. The tests of the service need no server: they use SQLite, files and memory.

        `docker compose up --build` runs PostgreSQL and the service, on 127.0.0.1:8080. It takes the password of the database
        from the variable `POSTGRES_PASSWORD`, and the name of the first operator from `LOANS_HTTP_FIRST_OPERATOR`, or both from
        a file `.env`, which neither git nor the image gets. For a server elsewhere, write `?sslmode=verify-full` after the
        address in `Infrastructure/production.json`.


        """

    private static let compose = """
        # PostgreSQL and the service: POSTGRES_PASSWORD=… LOANS_HTTP_FIRST_OPERATOR=ann docker compose up --build
        services:
          db:
            image: postgres:17
            environment:
              POSTGRES_USER: "loans"
              POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?the password of the database}
            volumes: [db:/var/lib/postgresql/data]
            # Over TCP, because the server that creates the database has a socket only.
            healthcheck:
              test: [CMD, pg_isready, --host, 127.0.0.1, --username, "loans"]
              interval: 2s
              timeout: 5s
              retries: 30
            restart: unless-stopped
          service:
            build: .
            environment:
              PGPASSWORD: ${POSTGRES_PASSWORD:?the password of the database}
              # Only the first start needs it.
              LOANS_HTTP_FIRST_OPERATOR: ${LOANS_HTTP_FIRST_OPERATOR:-}
            depends_on:
              db: {condition: service_healthy}
            # For a proxy on this machine, which terminates TLS. The image has the check of the service's health.
            ports: ["127.0.0.1:8080:8080"]
            restart: unless-stopped
        volumes:
          db:

        """
}
