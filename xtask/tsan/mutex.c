/*
 * ThreadSanitizer does not see what the standard library's own code does, which is not instrumented. Where a mutex was
 * free, the lock is taken by code that is compiled with its caller, and seen; where it was not, by this one function.
 * The linker puts LOCKED in its place (--wrap), which calls it under the name LOCK and tells ThreadSanitizer.
 */
void LOCK(void *mutex);
void LOCKED(void *mutex);
void __tsan_acquire(void *address);

void LOCKED(void *mutex) {
    LOCK(mutex);
    __tsan_acquire(mutex);
}
