/* Keeps the main thread: libdispatch ends it when the tasks run on other threads, and callgrind cannot follow that. */
#include <unistd.h>

void pthread_exit(void *value) {
    (void)value;
    for (;;) pause();
}
