#if canImport(Glibc)
private import Glibc
#endif

/// The handling of freed memory in the process.
public enum ProcessMemory {
    /// Makes the C library return freed blocks of 128 KiB and more to the system, and use twice as many heaps as there
    /// are processors rather than eight times as many. Call it once, before threads allocate.
    ///
    /// By default glibc keeps such blocks after the first free, up to 32 MiB each, and allocates small ones from them.
    /// One small block that stays in use then keeps the memory of a whole photo, and the next photo needs new memory.
    /// With one heap for each processor, the locks of the heaps cost a tenth of a change: there are more threads than
    /// processors. Other C libraries have no such option, and need none.
    public static func returnLargeBlocks() {
        #if canImport(Glibc)
        // `mallopt` is not in Swift's module of the C library.
        guard let function = unsafe dlsym(nil, "mallopt") else { return }
        let mallopt = unsafe unsafeBitCast(function, to: (@convention(c) (CInt, CInt) -> CInt).self)
        let mmapThreshold: CInt = -3
        let arenaMax: CInt = -8
        _ = mallopt(mmapThreshold, 128 << 10)
        _ = mallopt(arenaMax, 2 * CInt(clamping: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        #endif
    }
}
