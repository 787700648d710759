public import LarderDomain

/// Work that is due at the ticks of a schedule: once for each tick in all processes of a store, and after a restart.
///
/// ```swift
/// let reminders = RecurringWork.storing("reminders", every: .day(at: 6, in: .gmt)) { tick, unit in
///     try await Reminders(unit).create(for: tick)
/// }
/// ```
///
/// It is no queue: the kit stores the last tick, not jobs. The first tick is the one after the first start. Ticks are times of
/// the system's clock: after it was set back, work waits until the time of the next tick, and no tick is repeated; after it
/// was set forward, the ticks in between are missed.
public struct RecurringWork: Sendable {
    /// Does the work of a tick.
    public typealias Handler = @Sendable (_ tick: Timestamp, any PersistencyManager) async throws -> Void

    enum Effect: Sendable {
        case storing(Handler)
        case calling(Handler)
    }

    /// The treatment of ticks at which no process ran, or while the work of an earlier tick went on or failed.
    public enum Missed: Sendable {
        /// The work of the last one is done, late.
        case runOnce
        /// A tick is passed over if it is more than ``RecurringWork/tolerance`` late.
        case skip
    }

    /// The identity in the store.
    public let name: String
    let schedule: Schedule
    let effect: Effect
    /// The treatment of missed ticks.
    public var missed = Missed.runOnce
    /// The delay after which a tick is missed.
    public var tolerance = Duration.seconds(60)
    /// The time after which the task of a handler is cancelled.
    public var limit = Duration.seconds(300)
    /// The pauses after failed attempts, which end with the next tick, and the lease.
    public var policy = FollowerPolicy()

    private init(_ name: String, _ schedule: Schedule, _ effect: Effect) {
        (self.name, self.schedule, self.effect) = (name, schedule, effect)
    }

    /// Work whose effects are writes to the same store, in one commit with the tick: they happen exactly once. The handler must
    /// use only the manager that it receives.
    public static func storing(_ name: String, every schedule: Schedule, _ handler: @escaping Handler) -> RecurringWork
    {
        RecurringWork(name, schedule, .storing(handler))
    }

    /// Work with other effects, or with several commits. They happen at least once, and with ``Missed/skip`` at most once:
    /// then the tick is stored before the work, and no failure is repeated.
    public static func calling(_ name: String, every schedule: Schedule, _ handler: @escaping Handler) -> RecurringWork
    {
        RecurringWork(name, schedule, .calling(handler))
    }
}
