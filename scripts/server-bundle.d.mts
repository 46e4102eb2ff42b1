/** Path of a module that stands for the server's `start.ts` and loads faster. */
export function serverBundle(): string;
