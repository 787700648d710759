internal import HTTPTypes
public import LarderApp

extension Problem {
    /// The problem for a bound of the process or of the caller: 503, or 429 if the caller alone has reached it.
    ///
    /// - Parameters:
    ///   - refusal: Whose bound is reached.
    ///   - things: The bounded things, in the plural: `change streams`.
    ///   - seconds: When to try again.
    public init(_ refusal: WorkRefusal, of things: String, retryAfter seconds: Int) {
        let headers: HTTPFields = [.retryAfter: String(seconds)]
        switch refusal {
        case .process:
            self.init(.overloaded, "The service has reached its limit of \(things); try again later.", headers: headers)
        case .anonymous:
            let detail = "Callers without a token have reached their limit of \(things); send one, or try again later."
            self.init(.overloaded, detail, headers: headers)
        case .caller:
            let detail = "You have reached your limit of \(things); end others, or try again later."
            self.init(.tooManyRequests, detail, headers: headers)
        }
    }
}
