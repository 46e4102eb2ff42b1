/** Returns the result of the work, and the CPU time of all threads of this process, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * Factor, at least 1, by which this machine is slower than when idle. Tests multiply time limits of other processes by
 * this factor.
 */
export declare function crowding(): number;
