internal import GRDB
internal import LarderDomain

extension PersistencyError {
    static var closed: PersistencyError { .unavailable(Unavailable(.closed, "the store was closed")) }

    /// The error of an access to the database.
    init(_ error: any Error, isClosed: Bool) {
        switch error {
        case let error as PersistencyError: self = error
        case is CancellationError: self = .cancelled
        case _ where isClosed: self = .closed
        case let error as DatabaseError: self.init(error)
        default: self = .unavailable(Unavailable(.failed, "\(error)", cause: error))
        }
    }

    private init(_ error: DatabaseError) {
        let message = error.message ?? "\(error)"
        let reason: Unavailable.Reason
        switch error.resultCode {
        case .SQLITE_INTERRUPT:
            self = .cancelled
            return
        case .SQLITE_NOTADB:
            self = .incompatible(message)
            return
        case .SQLITE_BUSY, .SQLITE_LOCKED: reason = .busy
        case .SQLITE_FULL: reason = .full
        case .SQLITE_READONLY: reason = .readOnly
        case .SQLITE_TOOBIG: reason = .tooLarge
        default: reason = .failed
        }
        self = .unavailable(Unavailable(reason, message, cause: error))
    }
}
