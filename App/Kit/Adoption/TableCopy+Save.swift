internal import LarderData
internal import LarderDomain

extension TableCopy {
    /// Saves rows in one commit, or each in its own if one of them is refused.
    mutating func save<Mapper: EntityMapper>(
        _ rows: [Row], _ mapper: Mapper.Type,
        _ note: (inout TableCopy, Row, Result<SaveOutcome, RefusedRow>) -> Void
    ) async throws {
        var valid: [(row: Row, entity: Mapper.Model)] = []
        for row in rows {
            do throws(PersistencyError) {
                valid.append((row, try MappedObject<Mapper>(row.object).toSafeObject()))
            } catch {
                note(&self, row, .failure(try refusal(error)))
            }
        }
        guard !valid.isEmpty else { return }
        do throws(PersistencyError) {
            let saved = try await manager.save(contentsOf: valid.map(\.entity))
            for (item, saved) in zip(valid, saved) { note(&self, item.row, .success(saved.outcome)) }
            return
        } catch {
            _ = try refusal(error)
        }
        for (row, entity) in valid {
            do throws(PersistencyError) {
                note(&self, row, .success(try await manager.save(entity).outcome))
            } catch {
                note(&self, row, .failure(try refusal(error)))
            }
        }
    }

    /// The refusal of a row by its entity or the store.
    ///
    /// - Throws: Any other error of the store.
    private func refusal(_ error: PersistencyError) throws(PersistencyError) -> RefusedRow {
        switch error {
        case .invalid(let field): return RefusedRow(field.field, field.reason)
        case .duplicate(let duplicate):
            return RefusedRow(duplicate.columns.joined(separator: ", "), "another row has the same value")
        case .dangling(let dangling):
            return RefusedRow(dangling.column, "refers to a row that does not exist, or was refused")
        case .unavailable(let trouble) where trouble.reason == .tooLarge: return RefusedRow("", "is too large")
        default: throw error
        }
    }
}
