/** Started files (processes, threads) that no literal in the code names, by starting file. */
export const STARTED: Readonly<Record<string, readonly string[]>>;
/** Test files that a change of these files can affect, sorted; paths from the root. */
export function testsReachedBy(changed: readonly string[]): readonly string[];
