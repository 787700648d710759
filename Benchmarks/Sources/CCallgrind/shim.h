#ifndef C_CALLGRIND_H
#define C_CALLGRIND_H

// Requests to callgrind, which counts the instructions of all threads in between. Without callgrind or its header, they
// have no effect.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
static inline void callgrind_start(void) { CALLGRIND_START_INSTRUMENTATION; }
static inline void callgrind_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
#else
static inline void callgrind_start(void) {}
static inline void callgrind_stop(void) {}
#endif

#endif
