#if canImport(Glibc)
private import Glibc
#endif

/// How the process uses memory that it has freed.
public enum ProcessMemory {
    /// Makes the C library give blocks of 128 KiB and more back to the system when they are freed, and keep as many heaps
    /// as there are processors rather than eight times as many. Call it once, before threads allocate.
    ///
    /// By default glibc keeps such blocks from the second one on, up to 32 MiB each, and carves small ones out of them. One
    /// small block that lives on then holds a whole photo's memory, and the next photo takes new memory. Other C libraries
    /// have no such option, and need none.
    public static func returnLargeBlocks() {
        #if canImport(Glibc)
        // Not in Swift's module of the C library.
        guard let function = unsafe dlsym(nil, "mallopt") else { return }
        let mallopt = unsafe unsafeBitCast(function, to: (@convention(c) (CInt, CInt) -> CInt).self)
        let mmapThreshold: CInt = -3
        let arenaMax: CInt = -8
        _ = mallopt(mmapThreshold, 128 << 10)
        _ = mallopt(arenaMax, CInt(clamping: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        #endif
    }
}
