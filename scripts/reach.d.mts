/** Files that are started or read, but not named by a literal: starting file -> started files. */
export const STARTED: Readonly<Record<string, readonly string[]>>;
/** Returns the test files that changes of these files can affect, sorted; paths relative to the root. */
export function testsReachedBy(changed: readonly string[]): readonly string[];
