import Foundation

/// A client that sends arbitrary bytes, and reads until the server closes. Its timeouts are long: tests check the
/// deadlines of a server by its responses, not by their time.
struct RawConnection {
    /// A step of a client. After the last one, it reads to the end.
    enum Step: Sendable {
        case send([UInt8])
        /// Reads for a while.
        case pause(seconds: Double)
        /// Reads until this text was received.
        case receive(String)
        /// Does not read until the flag is set.
        case hold(until: Flag)
        case note(Flag)
        case closeOutput
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset

        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// The received bytes and the end of the connection.
    struct Outcome: Sendable {
        var text = ""
        var isClosed = false
        var seconds = 0.0

        /// The statuses of all responses, without interim ones, which a busy server may send.
        var statuses: [Int] {
            text.components(separatedBy: "HTTP/1.").dropFirst().compactMap {
                $0.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }.filter { $0 >= 200 }
        }

        /// Whether the server sent 100 (continue).
        var isContinued: Bool { text.contains("HTTP/1.1 100") }
    }

    /// The maximum time of a client, in seconds.
    static let patience = 120.0

    /// Runs the steps on a separate thread.
    static func exchange(_ port: Int, _ steps: [Step]) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var client = RawClient(upTo: patience)
                continuation.resume(returning: client.run(port, steps))
            }
            thread.start()
        }
    }

    /// Sends pieces with pauses between them.
    static func exchange(_ port: Int, _ pieces: String..., pause: Double = 0) async -> Outcome {
        await exchange(port, dripping(pieces.map { Array($0.utf8) }, pause: pause))
    }

    /// The steps that send pieces with pauses between them.
    static func dripping(_ pieces: [[UInt8]], pause: Double) -> [Step] {
        pieces.flatMap { pause > 0 ? [.send($0), .pause(seconds: pause)] : [.send($0)] }
    }
}
