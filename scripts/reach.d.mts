/** Starts of processes and threads whose file no literal names: the file, and what it starts. */
export const STARTED: Readonly<Record<string, readonly string[]>>;
/** The test files that can see a change of these files, sorted; paths from the root of the repository. */
export function testsReachedBy(changed: readonly string[]): readonly string[];
