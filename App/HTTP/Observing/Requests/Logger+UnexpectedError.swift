public import Logging

extension Logger {
    /// Logs an error that nobody foresaw, with its cause, at level `error`: for whoever answers 500 in its place.
    ///
    /// `Logger.current` has the request's id. The answer itself shows nothing of the error.
    public func unexpected(_ error: any Error) {
        self.error(
            "unexpected error", metadata: ["error": "\(error)", "error_type": "\(type(of: error))"])
    }
}
