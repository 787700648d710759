internal import LarderApp
internal import Subprocess

/// Requests by the program `curl`, so that a service compiles no HTTP client and no TLS library for them.
enum Curl {
    /// What `curl` says about a request.
    struct Report {
        /// The status of the response; 0 if there was none.
        var status = 0
        /// Why the response is missing or incomplete, such as an invalid certificate; else empty.
        var error = ""
    }

    /// The longest times for a connection and for the response, in seconds.
    private static let (connectionTimeout, timeout) = (10, 24 * 60 * 60)

    /// Writes the body of a response to a file. Follows no redirect, and uses no proxy, which could read the token.
    ///
    /// - Parameter token: The bearer token.
    /// - Throws: `CommandFailure` if `curl` cannot run; `CancellationError`.
    static func get(_ url: String, token: String, to path: String) async throws -> Report {
        // An argument would show the token to the other users of the machine.
        let configuration = """
            url = \(quoted(url))
            header = \(quoted("Authorization: Bearer " + token))
            output = \(quoted(path))
            globoff
            fail
            silent
            show-error
            noproxy = "*"
            connect-timeout = \(connectionTimeout)
            max-time = \(timeout)
            write-out = "%{http_code}"
            """
        do {
            let result = try await run(
                .name("curl"), arguments: ["--disable", "--config", "-"], input: .string(configuration),
                output: .string(limit: 64), error: .string(limit: 64 << 10))
            try Task.checkCancellation()
            return Report(
                status: Int(result.standardOutput) ?? 0,
                error: result.terminationStatus.isSuccess
                    ? "" : String(result.standardError.split(separator: "\n").joined(separator: "; ")))
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw CommandFailure(
                .configuration, "the program 'curl' is not installed", advice: "Install it: it sends the request.")
        }
    }

    /// A value in the notation of the configuration. A line break in it would start another option.
    private static func quoted(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r"]
        return "\"" + text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\""
    }
}
