/** Copies the sample of a first start into a data folder without one. */
export function copySample(dataDir: string): Promise<void>;
