// The end of the threads that nobody joins: a freed engine does not wait for its own.
#ifndef ELICIT_TESTS_THREADS_H
#define ELICIT_TESTS_THREADS_H

#ifdef __linux__
#include <dirent.h>
#include <sched.h>

static inline int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks) return 0;
    for (const struct dirent *task; (task = readdir(tasks)) != NULL;) count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

// A thread that still runs would be told of as a leak.
static inline void wait_for_other_threads(void) {
    while (threads() > 1) sched_yield();
}
#else
static inline void wait_for_other_threads(void) {}
#endif

#endif
