/** Variables that child processes of a test get of its own: PATH, and the folder of compiled modules. */
export function childEnv(): Readonly<Record<string, string>>;
