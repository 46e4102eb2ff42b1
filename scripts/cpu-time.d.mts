/** Runs the work; returns its result, and the CPU time of all threads of this process during the work, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * Returns the factor, at least 1, by which work in one thread is slower now than on an idle machine. The measurement
 * takes 0.2 s. Tests cannot measure the CPU time of other processes. So tests that wait for other processes multiply
 * their time limits by this factor.
 */
export declare function crowding(): number;
