/** Error for an unusable file in the places folder or in an import. The message has the problem and often a remedy. */
export class BadPlaceFile extends Error {
  override readonly name = 'BadPlaceFile';
  /** Absolute path, if known. */
  readonly file: string | undefined;

  constructor(message: string, file?: string) {
    super(message);
    this.file = file;
  }
}

/** Error for a missing or wrong property. `reason`: message without position. */
export class BadProperty extends BadPlaceFile {
  readonly property: string;
  readonly reason: string;

  constructor(where: string, property: string, reason: string) {
    super(`${where}: property ${property} ${reason}`);
    this.property = property;
    this.reason = `property ${property} ${reason}`;
  }
}

/** Receives notes on repaired or left out parts. A note begins with the position of the part. */
export type Report = (note: string) => void;

/** Error for an exceeded limit. `usable` and `at` pass this error on unchanged. */
export class TooMuch extends BadPlaceFile {}

/**
 * Reads each entry, and reports invalid ones. If all are invalid, throws the first error, because otherwise the file
 * would look empty.
 */
export function usable<T, R>(entries: readonly T[], read: (entry: T, index: number) => R, report: Report): R[] {
  const faults: BadPlaceFile[] = [];
  const good = entries.flatMap((entry, index): R[] => {
    try {
      return [read(entry, index)];
    } catch (error) {
      if (!(error instanceof BadPlaceFile) || error instanceof TooMuch) throw error;
      faults.push(error);
      return [];
    }
  });
  const [first] = faults;
  if (first !== undefined && good.length === 0) throw first;
  for (const { message } of faults) report(leftOut(message));
  return good;
}

/**
 * Adds `left out` to a message: 'features[3]: no area' -> 'features[3]: left out: no area'; 'polygon 0 ring 1: short'
 * -> 'polygon 0 ring 1 left out: short'.
 */
function leftOut(message: string): string {
  const [, where = '', reason = message] = /^([^:]+): (.*)$/s.exec(message) ?? [];
  return where.startsWith('features[') ? `${where}: left out: ${reason}` : `${where} left out: ${reason}`;
}

/** Puts `where` before the message of a `BadPlaceFile`, but not of a `TooMuch`. */
export function at<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadPlaceFile && !(error instanceof TooMuch))
      throw new BadPlaceFile(`${where}: ${error.message}`, error.file);
    throw error;
  }
}

/** Adds the file's path to a `BadPlaceFile`. */
export async function withFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooMuch) throw new TooMuch(error.message, error.file ?? file);
    if (error instanceof BadPlaceFile) throw new BadPlaceFile(error.message, error.file ?? file);
    throw error;
  }
}
