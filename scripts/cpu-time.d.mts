/** Runs the work; returns its result and the CPU time that this process used meanwhile in all threads, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * Factor, at least 1, by which single-threaded work is slower now than on an idle machine; measured for 0.2 s.
 * Tests multiply time limits by it if they wait for other processes, whose CPU time they cannot measure.
 */
export declare function crowding(): number;
