/** Peak memory of this process with all its threads, bytes. */
export function peakBytes(): number;
