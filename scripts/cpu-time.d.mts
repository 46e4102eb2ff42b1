/** Runs the work; what it returns, and the time of the processor that this process took meanwhile in all of its threads, ms. */
export declare function cpuTime<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }>;

/**
 * How many times longer than on an idle machine work of one thread takes at this moment, 1 at least: measured by working for a fifth of a
 * second. Bounds of what other processes do, whose processor time says nothing, are multiplied by it.
 */
export declare function crowding(): number;
