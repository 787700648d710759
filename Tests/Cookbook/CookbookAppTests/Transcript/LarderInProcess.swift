import ArgumentParser
import Foundation
import LarderApp
import LarderData
import LarderHTTP

@testable import CookbookApp

/// Runs commands within the test: over one store in memory that outlives each of them, or over a log in a folder that each
/// of them opens.
struct LarderInProcess {
    let folder: TemporaryFolder
    private let container: Container
    private var variables: [String: String]

    init(overFiles: Bool) async throws {
        folder = try TemporaryFolder()
        variables = ["HOME": folder.path]
        var container = Container()
        let schemas = try MapperSet(Container.mappers).schemas
        if overFiles {
            let settings = StoreSettings(location: .file(folder: folder.path + "/larder"))
            variables["LARDER_STORE"] = settings.location.description
            // What only reads makes no store where one was named.
            try await settings.open(schemas).close()
        } else {
            let kept = KeptStore(schemas)
            container.openStore = { _, _ in kept }
        }
        self.container = container
    }

    func run(_ line: ShellLine) async throws -> LarderProcess.Answer {
        let variables = variables.merging(line.variables) { $1 }
        let caught = CapturedOutput()
        let status = await UserEnvironment.$current.withValue(UserEnvironment(variables)) {
            await caught.during {
                // As wide as the binary's help where nobody says how wide the terminal is.
                await CommandFrame.run(Larder.self, Larder.identity, arguments: line.arguments, columns: 80) {
                    command in
                    guard let command = command as? any CookbookCommand else {
                        return try await CommandFrame.perform(command)
                    }
                    try await command.run(with: container)
                }
            }
        }
        return LarderProcess.Answer(
            status: status, output: LarderProcess.text(caught.output), errors: LarderProcess.text(caught.errors))
    }
}
