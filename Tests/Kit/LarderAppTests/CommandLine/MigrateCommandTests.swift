import ArgumentParser
import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderApp

/// `migrate` of a service whose schemas have changed.
struct MigrateCommandTests {
    /// The version before: boxes have a label.
    private enum Earlier: ServiceProgram {
        static let identity = ServiceIdentity(name: "boxes", title: "Boxes")
        static let mappers: [any EntityMapper.Type] = [LabelledBoxMapper.self]
    }

    /// This version: the label is a name, and a step writes it in capital letters.
    private enum Later: ServiceProgram {
        static let identity = Earlier.identity
        static let mappers: [any EntityMapper.Type] = [BoxMapper.self]
        static let evolution = SchemaEvolution(
            version: 2,
            steps: [
                MigrationStep("capitals", version: 2, entity: "box", reading: [Column(name: "label", type: .text)]) {
                    box, context in
                    var new = context.reshaped(box)
                    try new.set("label", .text(try box.text("label").uppercased()))
                    return new
                }
            ])
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "migrate-\(UUID().uuidString)")

    private func run(_ arguments: String..., store: String) async -> (output: String, errors: String, status: Int32) {
        let capture = CapturedOutput()
        let status = await capture.during {
            await CommandFrame.run(
                MigrateCommand<Later>.self, Later.identity, arguments: arguments + ["--store", store])
        }
        return (
            String(decoding: capture.output, as: UTF8.self), String(decoding: capture.errors, as: UTF8.self), status
        )
    }

    @Test(arguments: ["sqlite:", "file:"])
    func `a plan is printed, then applied with a copy, and then in the history`(kind: String) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = kind + folder.appending(path: "store").path
        let settings = StoreSettings(location: try StoreLocation(store, environment: UserEnvironment([:])))
        let earlier = try await settings.open(try Earlier.schemas)
        let id = RawID(high: 1, low: 1)
        let box = StorageObject(schema: LabelledBoxMapper.schema, id: id, values: [.text("tea")])
        _ = try await earlier.commit(ChangeSet(inserts: [box]))
        await earlier.close()

        let plan = await run("--plan", store: store)
        #expect(plan.status == 0 && plan.output.hasPrefix("step 'capitals' of box\nrename box.label to name\n"))
        #expect(plan.output.contains("ALTER TABLE \"box\" RENAME COLUMN \"label\" TO \"name\";") == (kind == "sqlite:"))
        #expect(plan.errors == "schema version 1; 3 changes to version 2, not additive\n")
        await #expect(throws: PersistencyError.self) { try await settings.open(try Later.schemas) }

        let migrated = await run(store: store)
        #expect(migrated.status == 0)
        #expect(
            migrated.output
                == "step 'capitals' of box\nrename box.label to name\nraise the schema version from 1 to 2\n")
        #expect(migrated.errors.contains("version-1\n") && migrated.errors.hasSuffix("schema version 2\n"))
        let opened = try await settings.open(try Later.schemas)
        #expect(try await opened.read(id, of: BoxMapper.schema)?.values == [.text("TEA")])
        await opened.close()

        let history = await run("--history", "--json", store: store)
        #expect(history.output.contains(#""step":"capitals""#) && history.output.contains(#""version":2"#))
        let again = await run(store: store)
        #expect(again.output.hasSuffix("has schema version 2 and needs no migration\n"))
        // An older program is refused, and says what to do.
        let refusal = await #expect(throws: PersistencyError.self) { try await settings.open(try Earlier.schemas) }
        #expect(refusal?.description.contains("use a newer version of the program") == true)
    }
}

private struct Box: Entity {
    static let entityName = "box"
    let id: EntityID<Box>
    let name: String
}

private enum BoxMapper: EntityMapper {
    static let mapping = Mapping<Box>("box", id: \.id, [.column("name", \.name).renamed(from: "label")])

    static func entity(from row: inout ObjectReader) throws -> Box { try Box(id: row.id(), name: row.next()) }
}

private enum LabelledBoxMapper: EntityMapper {
    static let mapping = Mapping<Box>("box", id: \.id, [.column("label", \.name)])

    static func entity(from row: inout ObjectReader) throws -> Box { try Box(id: row.id(), name: row.next()) }
}
