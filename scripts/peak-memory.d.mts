/** Peak memory of this process, bytes. */
export function peakBytes(): number;
