/**
 * Files that are started as processes or threads, but that no literal in the code names: the starting file -> the
 * started files.
 */
export const STARTED: Readonly<Record<string, readonly string[]>>;
/** Returns the test files that a change of these files can affect, sorted; paths relative to the repository's root. */
export function testsReachedBy(changed: readonly string[]): readonly string[];
