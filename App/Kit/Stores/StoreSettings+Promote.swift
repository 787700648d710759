public import LarderData
internal import LarderDecorators
internal import LarderDomain

extension StoreSettings {
    /// Makes a mirror of a mirrored store the primary. The old primary and the other mirrors are compared with it, and the
    /// old primary is marked, if they exist and can be opened.
    ///
    /// - Parameters:
    ///   - mirror: The location of the mirror, as in the composition.
    ///   - losing: Whether commits that the mirror does not have may be lost.
    ///   - schemas: The schemas of the program.
    /// - Returns: The messages of the members that were not compared.
    /// - Throws: `CommandFailure` for another store than a mirror of a mirrored one; `PersistencyError` as
    ///   `MirroredStore.promote`, and `alreadyOpen` if a process has a member open.
    public func promote(_ mirror: StoreLocation, losing: Bool, _ schemas: SchemaSet) async throws -> [String] {
        guard case .mirrored(let primary, let mirrors, _) = location else {
            throw CommandFailure(
                .usage, "\(location) has no mirrors", advice: "Set --store mirrored(PRIMARY, MIRROR).")
        }
        guard mirrors.contains(mirror) else {
            throw CommandFailure(
                .usage, "\(mirror) is not a mirror of \(location)",
                advice: "Name one of: \(mirrors.map(\.description).joined(separator: ", ")).")
        }
        if let path = mirror.missingPath { throw CommandFailure(.notFound, "no store exists at \(path)") }
        let schemas = try stored(schemas)
        var opened: [MirroredStore.Member] = []
        func close() async { for member in opened { await member.store.close() } }
        do {
            var messages: [String] = []
            func open(_ location: StoreLocation) async throws -> MirroredStore.Member? {
                guard location.missingPath == nil else {
                    messages.append("\(location) does not exist, and was not compared")
                    return nil
                }
                do {
                    opened.append(try await member(location, schemas))
                    return opened.last
                } catch let error as PersistencyError {
                    if case .alreadyOpen = error { throw error }
                    messages.append("\(location) was not compared: \(error)")
                    return nil
                }
            }
            opened.append(try await member(mirror, schemas))
            let chosen = opened[0]
            let old = try await open(primary)
            var others: [MirroredStore.Member] = []
            for other in mirrors where other != mirror {
                if let other = try await open(other) { others.append(other) }
            }
            _ = try await MirroredStore.promote(chosen, over: old, others: others, losing: losing)
            await close()
            return messages
        } catch {
            await close()
            throw error
        }
    }
}
