import Testing

@testable import LarderGenerator

/// Plans of adoptions: the ten schemas, and their unsupported features.
struct AdoptionTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// The plan for a database with the tables of a statement.
    private func adoption(_ sql: String, only names: [String] = [], taken: Set<String> = []) throws -> Adoption {
        try Adoption(try Sources.schema(sql, in: scratch), only: names) { type, _ in taken.contains(type) }
    }

    @Test(arguments: [
        ("blog", 8, ["followers", "post_tags"], []), ("forum", 9, ["group_members", "likes"], []),
        ("issues", 10, ["issue_labels"], ["votes: it has no key: no column identifies a row"]),
        ("library", 10, ["book_authors"], []), ("music", 11, ["PlaylistTrack"], []), ("payroll", 8, [], []),
        ("school", 10, ["Prerequisite", "TeacherSubject"], []),
        ("sensors", 9, ["sensor_firmwares"], ["calibrations: its key has the type REAL"]),
        ("shop", 8, ["product_categories"], []), ("warehouse", 10, ["substitutes"], []),
    ])
    func `at least nine of ten tables are adopted, the rest named`(
        name: String, count: Int, links: [String], omitted: [String]
    ) throws {
        let adoption = try adoption(Sources.text(name))
        #expect(adoption.tables.count + adoption.links.count == count)
        #expect(adoption.links.map(\.table.name) == links)
        #expect(adoption.omitted.map { "\($0.table): \($0.reason)" } == omitted)
        #expect(10 * count >= 9 * (count + omitted.count))
        // What was planned can be read again from the record of the service.
        for case let entity? in adoption.tables.map(\.entity) {
            #expect(try Entity.recorded(entity.name.type[...], entity.name.plural[...], entity.record[...]) == entity)
        }
    }

    @Test func `types, nulls, defaults, keys and references become fields`() throws {
        let adoption = try adoption(
            """
            CREATE TABLE people (code TEXT PRIMARY KEY NOT NULL);
            CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_code TEXT NOT NULL REFERENCES people (code) ON DELETE CASCADE,
                friend TEXT REFERENCES people (code), mother INTEGER REFERENCES pets (id), name VARCHAR(9) NOT NULL DEFAULT 'Rex',
                fee DECIMAL(9, 2) NOT NULL DEFAULT 3.00, born DATE, seen TIMESTAMP NOT NULL, tame BOOL NOT NULL DEFAULT TRUE,
                photo BLOB, weight REAL, kind TEXT NOT NULL DEFAULT 'cat' CHECK (kind IN ('cat', 'dog')),
                chip INTEGER UNIQUE, UNIQUE (name, born));
            """)
        let pets = try #require(adoption.tables.last?.entity)
        #expect(adoption.tables.map(\.name.plural) == ["People", "Pets"])
        #expect(
            pets.fieldText
                == "legacyKey:Int?,unique ownerCode:ref(Person,cascade) friend:ref(Person,refuse)? mother:ref(Pet,refuse)? "
                + "name:String=Rex fee:Decimal(2)=3 born:Day? seen:Instant tame:Bool=true photo:Bytes? weight:Double? "
                + "kind:enum(cat,dog)=cat chip:Int?,unique")
        #expect(pets.uniques == [["name", "born"]])
        #expect(adoption.remarks == [])
        #expect(adoption.tables.last?.later == ["mother_id"])
    }

    @Test func `keys of several columns keep their order, and rows that may be equal are no links`() throws {
        let adoption = try adoption(
            """
            CREATE TABLE rooms (floor INTEGER, number INTEGER, PRIMARY KEY (floor, number));
            CREATE TABLE desks (id INTEGER PRIMARY KEY, room_number INTEGER, room_floor INTEGER, serial INTEGER,
                FOREIGN KEY (room_number, room_floor) REFERENCES rooms (number, floor));
            CREATE UNIQUE INDEX used ON desks (serial) WHERE serial > 0;
            CREATE TABLE keepers (desk INTEGER PRIMARY KEY REFERENCES desks, deputy INTEGER NOT NULL REFERENCES desks);
            """)
        #expect(adoption.tables.map(\.source.name) == ["rooms", "desks", "keepers"])
        #expect(adoption.links.isEmpty)
        let origins = adoption.tables[1].origins.filter { $0.target == "rooms" }
        #expect(origins.map(\.columns) == [["room_floor", "room_number"]])
        #expect(adoption.tables[1].entity?.fieldText.contains("serial:Int? ") == true)
        #expect(adoption.tables[1].entity?.uniques == [])
    }

    @Test func `a quote in the text of a default is doubled in the database only`() {
        #expect(AdoptedType.field("String").initial("'it''s'") == "it's")
    }

    @Test func `names that Swift or the service has get others`() throws {
        let adoption = try adoption(
            """
            CREATE TABLE users (id INTEGER PRIMARY KEY, "class" TEXT, "größe" REAL, 名前 TEXT, "two words" TEXT, TwoWords TEXT, TaxID INTEGER,
                store_id INTEGER REFERENCES stores (id), "x y z" TEXT);
            CREATE TABLE stores (id INTEGER PRIMARY KEY); CREATE TABLE "x rays" (id INTEGER PRIMARY KEY);
            CREATE TABLE 部屋 (id INTEGER PRIMARY KEY); CREATE TABLE "2fa codes" (id INTEGER PRIMARY KEY);
            CREATE TABLE cases (id INTEGER PRIMARY KEY); CREATE TABLE changes (id INTEGER PRIMARY KEY);
            """, taken: ["User", "Store"])
        let names = Dictionary(uniqueKeysWithValues: adoption.tables.map { ($0.source.name, $0.name.type) })
        #expect(
            names == [
                "users": "LegacyUser", "stores": "LegacyStore", "x rays": "Xray", "部屋": "Table4",
                "2fa codes": "Table2faCode",
                "cases": "LegacyCase", "changes": "LegacyChange",
            ])
        let users = try #require(adoption.tables.first { $0.source.name == "users" }?.entity)
        #expect(
            users.fields.map(\.name)
                == [
                    "legacyKey", "classValue", "groe", "column4", "twoWords", "twoWords2", "taxKey", "storeReference",
                    "xyZ",
                ])
        let refused = try self.adoption("CREATE TABLE users (id INTEGER PRIMARY KEY)", taken: ["User", "LegacyUser"])
        #expect(refused.omitted == [.init("users", "its names are taken by the service or the kit")])
    }

    @Test func `tables that refer to each other are ordered, and a reference is set later`() throws {
        let adoption = try adoption(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER NOT NULL REFERENCES b); CREATE TABLE d (id INTEGER PRIMARY KEY,
                a INTEGER NOT NULL REFERENCES a);
            CREATE TABLE b (id INTEGER PRIMARY KEY, c INTEGER NOT NULL REFERENCES c);
            CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a);
            """)
        #expect(adoption.tables.map(\.source.name) == ["c", "b", "a", "d"])
        #expect(adoption.tables.map(\.later) == [["a_id"], [], [], []])
        #expect(adoption.tables[0].entity?.fieldText == "legacyKey:Int?,unique a:ref(A,refuse,later)?")
        #expect(adoption.remarks == [])
    }

    @Test func `words of a condition are found, also as PostgreSQL writes them`() {
        #expect(
            Checks.conditions(
                in: "CREATE TABLE t (\"CHECK (\" TEXT /* CHECK (1) */ CHECK  (x IN ('a)', 'b')), CHECK(y))")
                == ["x IN ('a)', 'b')", "y"])
        for text in [
            "state IN ('a', 'b')", "\"state\" in ('a','b')",
            "CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))",
            "CHECK (((state)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))",
        ] {
            #expect(
                Checks.words(in: text)?.column == "state" && Checks.words(in: text)?.words == ["a", "b"], "\(text)")
        }
        for text in ["state IN (1, 2)", "state IN ('a') OR x", "length(state) > 1"] {
            #expect(Checks.words(in: text) == nil)
        }
    }
}
