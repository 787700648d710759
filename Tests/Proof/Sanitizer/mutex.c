// Reports to ThreadSanitizer what Swift's Mutex does under contention.
//
// The fast path of a Mutex is compiled into its user, and so instrumented. The slow path is in the standard library,
// which is not compiled for ThreadSanitizer, and in the kernel: without this file, every contended lock looks like no
// lock at all. Loaded before the library, these functions call its own, and report what was acquired and released.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

typedef __attribute__((swiftcall)) void lock_function(uint32_t, __attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) bool try_lock_function(__attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *);
typedef void note_function(void *);

static lock_function *real_lock;
static try_lock_function *real_try_lock;
static unlock_function *real_unlock;
static note_function *acquire, *release;

__attribute__((constructor)) static void find(void) {
    // Programs that the tests start do not use the mutex, or are not instrumented.
    real_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
    real_try_lock = (try_lock_function *)dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
    real_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    acquire = (note_function *)dlsym(RTLD_DEFAULT, "__tsan_acquire");
    release = (note_function *)dlsym(RTLD_DEFAULT, "__tsan_release");
}

__attribute__((swiftcall)) void lock(uint32_t state, __attribute__((swift_context)) void *self) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) bool try_lock(__attribute__((swift_context)) void *self) __asm__(TRY_LOCK_SLOW);
__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *self) __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void lock(uint32_t state, __attribute__((swift_context)) void *self) {
    if (!real_lock) abort();
    real_lock(state, self);
    if (acquire) acquire(self);
}

__attribute__((swiftcall)) bool try_lock(__attribute__((swift_context)) void *self) {
    if (!real_try_lock) abort();
    bool taken = real_try_lock(self);
    if (taken && acquire) acquire(self);
    return taken;
}

__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *self) {
    if (!real_unlock) abort();
    if (release) release(self);
    real_unlock(self);
}
