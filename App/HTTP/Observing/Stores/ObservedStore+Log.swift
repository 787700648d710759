internal import LarderApp
internal import LarderDomain
internal import Logging

extension ObservedStore {
    func logSlow(_ operation: StoreOperation, _ entity: String, _ duration: Duration) {
        Logger.current.warning(
            "slow store operation",
            metadata: [
                "operation": "\(operation.rawValue)", "entity": "\(entity)",
                "duration_ms": .stringConvertible(duration.milliseconds),
            ])
    }

    func logFailure(_ operation: StoreOperation, _ entity: String, _ trouble: Unavailable) {
        var metadata: Logger.Metadata = [
            "operation": "\(operation.rawValue)", "entity": "\(entity)", "reason": "\(trouble.reason.outcome)",
            "detail": "\(trouble.message)",
        ]
        if let cause = trouble.cause { metadata["cause"] = "\(cause)" }
        Logger.current.error("store unavailable", metadata: metadata)
    }
}
