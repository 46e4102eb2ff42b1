/** Path of a bundle that replaces the server's `start.ts` and loads faster. */
export function serverBundle(): Promise<string>;
