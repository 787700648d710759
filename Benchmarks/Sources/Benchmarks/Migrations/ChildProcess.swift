#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One measurement in its own process: from its start to its end, with everything that it does when it closes a
/// database.
struct ChildProcess {
    /// Seconds of the clock, and of the processor in user and system mode.
    let (wall, cpu): (Double, Double)
    /// The words that the process printed.
    let output: [String]

    struct Failed: Error {
        let command: [String]
        let output: String
    }

    /// Runs a program, found along the path.
    ///
    /// - Parameter input: The path of a file that it reads.
    static func run(_ command: [String], input: String = "/dev/null", in folder: URL) throws -> ChildProcess {
        let outputPath = folder.appending(path: "output").path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var (child, status, usage) = (pid_t(), Int32(0), rusage())
        let clock = ContinuousClock()
        let start = clock.now
        guard posix_spawnp(&child, command[0], &actions, nil, arguments, [nil]) == 0 else {
            throw Failed(command: command, output: "cannot be run")
        }
        wait4(child, &status, 0, &usage)
        let wall = (clock.now - start).microseconds / 1e6
        let output = (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? ""
        guard status == 0 else { throw Failed(command: command, output: output) }
        let cpu = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        return ChildProcess(wall: wall, cpu: cpu, output: output.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
