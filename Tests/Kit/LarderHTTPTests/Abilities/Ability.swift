import LarderData
import LarderStoreContract

/// A row of the table of abilities: what a store can do, and what shows it.
struct Ability: Sendable {
    let name: String
    let evidence: Evidence

    enum Evidence: Sendable {
        /// A law of the contract, by its name.
        case law(String)
        /// A feature of the open store, by the name of its type.
        case feature(String, @Sendable (any Store) -> Bool)
        /// A capability that the store declares.
        case capability(Capability)
        /// A command. `STORE` is a store with an entity, `NEW` and `OTHER` are two that do not exist, `DIR` is a folder.
        case command(String)
    }

    static let groups: [(title: String, abilities: [Ability])] = [
        ("Queries", queries), ("Writes", writes), ("Journal and changes", journal), ("Operation", operation),
    ]

    private static func law(_ name: String, _ law: String) -> Ability { Ability(name: name, evidence: .law(law)) }

    private static func command(_ name: String, _ line: String) -> Ability {
        Ability(name: name, evidence: .command(line))
    }

    private static let queries = [
        law(
            "comparisons of texts, numbers, instants, ids",
            "Any query over columns has the result of an oracle in plain Swift"),
        law("prefixes and parts of texts", "Parts of texts are compared byte for byte, without special characters"),
        law("arithmetic", "Arithmetic follows Swift's"),
        law("optional values", "A missing value equals nil, and no other value"),
        law("lists of thousands of values", "A captured collection may have thousands of values"),
        law(
            "conditions on owned objects and links",
            "Any query over columns, links and owned objects has the result of the reference"),
        law("derived columns", "A derived column can be queried"),
        law("any order", "Any order under any condition is that of the interpreter, page by page"),
        law("keyset pages", "Insertions and deletions between pages neither repeat nor hide other entities"),
        law("pages with a limit of bytes", "A page with a limit of bytes ends with the root that exceeds it"),
        law("cursors across openings", "A cursor is valid after the store was reopened"),
        law("totals in the page's snapshot", "A total belongs to the snapshot of its page"),
        law("counts by a value, a link or a length", "Counts by a value are those of the entities that match"),
        law("exact sums and other aggregates", "Aggregates by up to three keys are those of plain Swift"),
        law("read models", "A read model has the values of its entity, and the numbers of what it owns"),
        law(
            "conditions on other entities",
            "A query finds entities whose reference, or one of whose links, is to matching ones"),
        law(
            "searches of words, by rank",
            "A search finds the entities with all words, in the order of their ranks, then of their ids"),
        law("graphs, with cycles read once", "A cyclic graph is loaded once"),
        law("live queries", "A live query has a new page after each commit that changes it"),
    ]

    private static let writes = [
        law("versions", "Of 20 tasks that update one version, one succeeds"),
        law(
            "a save without changes writes nothing",
            "Saving an unchanged entity commits nothing and keeps the version"),
        law("updates of only the changed columns", "An update names the columns that differ and no others"),
        law("transactions over several entities", "All changes of a body are one commit"),
        law("write skew refused", "Of two doctors on call, one remains: write skew after a query is refused"),
        law("nested transactions", "A transaction inside a transaction joins it, on whichever manager of the store"),
        law("unique values, swapped in one commit", "Two roots can swap their values in one commit"),
        law(
            "updates by query",
            "An update by query changes the given properties of all matching entities, in one commit"),
        law(
            "delete rules: cascade",
            "The rule cascade deletes the referring roots, in turn those that refer to them, and no others"),
        law(
            "delete rules: refuse",
            "A target under the rule refuse cannot be deleted, and the error names the referring root"),
        law(
            "references removed from any number of entities",
            "A removal takes each link to a target out of its list, and the others keep their order"),
        law("safe cancellation", "A commit that is cancelled at any time is stored or not, as its result says"),
        law("commits survive the end of the process", "Acknowledged commits are stored after the store was reopened"),
        law("counted rows", "Saving an unchanged entity writes no row"),
        law("counted bytes", "Saving an unchanged entity writes no byte"),
        law("counted statements", "The number of statements of a load depends on its types, not on its entities"),
    ]

    private static let journal = [
        law("a stream of commits", "Each stored commit of many tasks is received once, complete, and without a gap"),
        law(
            "a missed commit is read from the journal",
            "An observer that falls behind reads the journal, or gets a gap in place of the oldest commits"),
        law(
            "a stream that continues after a token",
            "A reader that reconnects after every few commits gets each commit once, in order"),
        law(
            "the outcome of a commit",
            "The outcome of a commit is stored after its receipt, and absent after its refusal"),
        law(
            "the outcome of a commit before the opening",
            "The outcome of a commit before the store was opened is known"),
        Ability(name: "caches, because nobody else writes", evidence: .capability(.soleWriter)),
        Ability(name: "other processes read meanwhile", evidence: .capability(.sharedReading)),
        command("a new lifetime of tokens", "renew --store STORE"),
    ]

    private static let operation = [
        command("`verify`", "verify --store STORE"),
        command("`verify` of a composed read-only store", "verify --store read-only(STORE)"),
        command("`compact`", "compact --store STORE"),
        command("`log`", "log --store STORE"),
        command("`migrate`", "migrate --store STORE"),
        command("`migrate --plan`", "migrate --plan --store STORE"),
        command("`migrate --history`", "migrate --history --store STORE"),
        command("`backup`", "backup DIR/backup --store STORE"),
        command("`restore` into a new store", "restore DIR/source.backup --store NEW"),
        command("`restore --replace`", "restore DIR/source.backup --replace --store STORE"),
        command("`transfer` to a file store", "transfer --from STORE --to file:DIR/copy"),
        command("`transfer` from a file store", "transfer --from file:DIR/source --to OTHER"),
        command("`promote`", "promote file:DIR/store --store STORE"),
        Ability(name: "SQL", evidence: .feature("SQLiteAccess") { $0.runsSQL }),
        // The last one, because it seals the store.
        command("`passphrase`", "passphrase --new-file DIR/passphrase --store STORE"),
    ]
}
