import LarderApp
import LarderDomain
import LarderHTTP

struct LettersContainer: TestContainer {
    func api(
        _ settings: ServiceSettings, _ reader: inout SettingReader
    ) -> @Sendable (any PersistencyManager) throws -> LoansAPI {
        { LoansAPI($0, settings.server.limits) }
    }
}
