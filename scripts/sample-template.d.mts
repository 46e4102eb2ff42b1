/** Copies the sample of a first start into a data folder without a sample. */
export function copySample(dataDir: string): Promise<void>;
