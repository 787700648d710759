import Foundation
import LarderApp
import LarderData
import LarderStoreContract
import LarderTesting
import Testing

/// docs/abilities.md: its cells are the verdicts of the contract, the features of stores, and the results of commands.
///
/// `REWRITE_TRANSCRIPTS=1` writes the columns of the stores that can be judged here.
@Suite("The table of abilities", .serialized)
struct AbilitiesTests {
    private static let page = "docs/abilities.md"

    @Test(arguments: AbilityStore.available)
    func `a column says what the store does`(store: AbilityStore) async throws {
        let url = URL(filePath: #filePath).appending(path: "../../../../../\(Self.page)").standardizedFileURL
        var table = AbilityTable(try String(contentsOf: url, encoding: .utf8))
        let found = try await Self.cells(of: store)
        if Transcripts.isRewriting {
            table[store] = found
            try table.text.write(to: url, atomically: true, encoding: .utf8)
        } else {
            for (name, cell) in found where table[store][name] != cell {
                let written = table[store][name] ?? ""
                Issue.record("\(Self.page): '\(name)' on \(store.title) is '\(cell)', not '\(written)'")
            }
            #expect(table[store].count == found.count)
        }
    }

    /// The cells by the names of abilities.
    private static func cells(of store: AbilityStore) async throws -> [String: String] {
        let folder = try TemporaryFolder()
        let abilities = Ability.groups.flatMap(\.abilities)
        let names = Set(abilities.compactMap { if case .law(let name) = $0.evidence { name } else { nil } })
        let laws = StoreContract.laws.filter { names.contains($0.name) }
        #expect(Set(laws.map(\.name)) == names)
        let verdicts = await store.verdicts(laws, in: folder.path)
        let commands = AbilityCommands(
            in: folder.path, store: try await store.location("store", in: folder.path),
            new: try await store.location("new", in: folder.path),
            other: try await store.location("other", in: folder.path))
        let open = try await commands.prepare()
        var cells: [String: String] = [:]
        for ability in abilities {
            switch ability.evidence {
            case .law(let name): cells[ability.name] = verdicts[name].map(Self.cell) ?? "?"
            case .feature(let type, let isThere): cells[ability.name] = isThere(open) ? "yes" : "no `\(type)`"
            case .capability(let capability):
                let isThere = open.traits.capabilities.contains(capability)
                cells[ability.name] = isThere ? "yes" : "no `\(capability.rawValue)`"
            case .command: break
            }
        }
        await open.close()
        for ability in abilities {
            if case .command(let line) = ability.evidence { cells[ability.name] = await commands.run(line) }
        }
        return cells
    }

    private static func cell(_ verdict: Verdict) -> String {
        switch verdict {
        case .kept: "yes"
        case .notApplicable(let missing): "no `\(missing.rawValue)`"
        case .broken(let reason): "broken: \(reason)"
        }
    }
}
