/** Runs the work; returns its result and the CPU time that this process used meanwhile in all threads, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * Returns the factor, at least 1, by which single-threaded work is slower now than on an idle machine. The measurement
 * takes 0.2 s. Tests multiply time limits by this factor if they wait for other processes, because they cannot measure
 * the CPU time of other processes.
 */
export declare function crowding(): number;
