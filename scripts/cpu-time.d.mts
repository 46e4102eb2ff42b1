/** Result of the work, and CPU time of all threads of this process, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * Factor (at least 1) by which this machine is slower than an idle one; takes 0.2 s. Time limits for other processes
 * are multiplied by it.
 */
export declare function crowding(): number;
