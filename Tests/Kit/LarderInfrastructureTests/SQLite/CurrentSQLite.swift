import Testing

@testable import LarderInfrastructure

extension Trait where Self == ConditionTrait {
    /// Only for tests that need a feature that the SQLite in SQLCipher lacks; `SQLite/README.md` lists them.
    static var currentSQLite: Self { .enabled(if: SQLiteLibrary.altersColumns, "the library contains an older SQLite") }
}
