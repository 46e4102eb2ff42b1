/** Environment for child processes of a test: PATH and Node's compile cache. */
export function childEnv(): Readonly<Record<string, string>>;
