internal import LarderData
internal import LarderDecorators
internal import LarderDomain
internal import Logging

extension StoreSettings {
    /// These settings for another store.
    func at(_ location: StoreLocation) -> StoreSettings {
        var settings = self
        settings.location = location
        return settings
    }

    /// Opens a mirrored store with its members. For reading only, its primary suffices, which other processes may write.
    ///
    /// - Parameter schemas: The stored schemas of the service.
    /// - Throws: `CommandFailure` if the primary does not exist, and a mirror does: an empty primary must not take its place.
    func openMirrored(
        _ primary: StoreLocation, _ mirrors: [StoreLocation], _ required: Int, _ schemas: SchemaSet
    ) async throws -> any Store {
        if let path = primary.missingPath, let mirror = try await existing(mirrors, schemas) {
            throw CommandFailure(
                .notFound, "the primary does not exist at \(path), and the mirror \(mirror) does",
                advice: "Make the mirror the primary with 'promote', or move it away.")
        }
        if isReadOnly {
            let primary = try await member(primary, schemas)
            do {
                try await MirroredStore.checkRole(ofPrimary: primary)
            } catch {
                await primary.store.close()
                throw error
            }
            return primary.store
        }
        var members: [MirroredStore.Member] = []
        do {
            for location in [primary] + mirrors { members.append(try await member(location, schemas)) }
        } catch {
            for member in members { await member.store.close() }
            throw error
        }
        return try await MirroredStore.open(
            schemas, primary: members.removeFirst(), mirrors: members, required: required, report: mirrorReport)
    }

    /// The first of some mirrors that contains a store; a PostgreSQL database may be empty.
    private func existing(_ mirrors: [StoreLocation], _ schemas: SchemaSet) async throws -> StoreLocation? {
        for mirror in mirrors where mirror != .memory {
            if try await !at(mirror).isNew(MirroredStore.schemas(of: schemas)) { return mirror }
        }
        return nil
    }

    /// Opens a member of a mirrored store.
    func member(_ location: StoreLocation, _ schemas: SchemaSet) async throws -> MirroredStore.Member {
        MirroredStore.Member("\(location)", try await at(location).openBase(MirroredStore.schemas(of: schemas)))
    }

    /// Reports mirrors that fail, and that follow again.
    private var mirrorReport: @Sendable (MirrorStatus) -> Void {
        switch recoveryReport {
        case .standardError:
            { [name = ServiceIdentity.current.name] status in
                guard let trouble = status.trouble else { return }
                Terminal.warn("the mirror \(status.name) does not follow: \(trouble)", title: name + ": ")
            }
        case .log:
            { status in
                if let trouble = status.trouble {
                    Logger.current.warning(
                        "mirror failed", metadata: ["mirror": "\(status.name)", "error": "\(trouble)"])
                } else {
                    Logger.current.notice("mirror follows", metadata: ["mirror": "\(status.name)"])
                }
            }
        }
    }
}
