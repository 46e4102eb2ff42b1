/**
 * Error for a file of places or a file to import that cannot be used. The message contains the problem and often a
 * remedy.
 */
export class BadPlaceFile extends Error {
  override readonly name = 'BadPlaceFile';
  /** Absolute path of the file, if known. */
  readonly file: string | undefined;

  constructor(message: string, file?: string) {
    super(message);
    this.file = file;
  }
}

/** Error for a missing or wrong property of a feature. `reason` is the message without the position of the feature. */
export class BadProperty extends BadPlaceFile {
  readonly property: string;
  readonly reason: string;

  constructor(where: string, property: string, reason: string) {
    super(`${where}: property ${property} ${reason}`);
    this.property = property;
    this.reason = `property ${property} ${reason}`;
  }
}

/**
 * Callback for a note on a part of a file that was repaired or left out. The note begins with the position of the part.
 */
export type Report = (note: string) => void;

/** Error for a file or feature that exceeds a limit. `usable` and `at` pass it on unchanged, so its message does not name the part at which the limit was reached. */
export class TooMuch extends BadPlaceFile {}

/**
 * Reads each entry; leaves out and reports invalid entries. If all entries are invalid, throws the error of the first
 * entry, because otherwise the file would be read as an empty file.
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
 * Converts 'features[3]: no area' to 'features[3]: left out: no area', and 'polygon 0 ring 1: short' to 'polygon 0 ring 1 left out: short'.
 */
function leftOut(message: string): string {
  const [, where = '', reason = message] = /^([^:]+): (.*)$/s.exec(message) ?? [];
  return where.startsWith('features[') ? `${where}: left out: ${reason}` : `${where} left out: ${reason}`;
}

/** Runs `read` and puts `where` before the message of a `BadPlaceFile`; a `TooMuch` is not changed. */
export function at<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadPlaceFile && !(error instanceof TooMuch))
      throw new BadPlaceFile(`${where}: ${error.message}`, error.file);
    throw error;
  }
}

/** Waits for `work`, and adds the file's path to the error if the work throws a `BadPlaceFile`. */
export async function withFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooMuch) throw new TooMuch(error.message, error.file ?? file);
    if (error instanceof BadPlaceFile) throw new BadPlaceFile(error.message, error.file ?? file);
    throw error;
  }
}
