import Testing

/// Tests with child processes, one after the other. Swift Testing occupies a thread of the cooperative pool while such
/// a process runs, and two cores have two threads. Two concurrent tests that wait for each other would deadlock.
@Suite(.serialized) enum ProcessTests {}
