/** What cannot be read, and why: it is not there, too large, no JSON, or lies where it may not be asked for. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** What an error says, without its name and stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
