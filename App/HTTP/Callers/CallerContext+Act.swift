internal import Hummingbird
internal import Logging

extension CallerContext {
    /// Logs what an operator does, for the access log: entries with the message `operator act`.
    func note(act: String, _ details: [String: String] = [:]) {
        let all = details.merging(["act": act, "by": caller?.key ?? ""]) { $1 }
        logger.notice("operator act", metadata: all.mapValues(Logger.MetadataValue.string))
    }
}
