/** A file under `places` that cannot be used; the message says what is wrong and, where it helps, what to do. */
export class BadPlaceFile extends Error {
  override readonly name = 'BadPlaceFile';
  /** Absolute path, where it is known. */
  readonly file: string | undefined;

  constructor(message: string, file?: string) {
    super(message);
    this.file = file;
  }
}

/** A property of a feature that is missing or wrong; `reason` is the sentence about it without its place. */
export class BadProperty extends BadPlaceFile {
  readonly property: string;
  readonly reason: string;

  constructor(where: string, property: string, reason: string) {
    super(`${where}: property ${property} ${reason}`);
    this.property = property;
    this.reason = `property ${property} ${reason}`;
  }
}

/** Told what was mended or left out of a file, in words that begin with where it stands. */
export type Tell = (note: string) => void;

/** A file as a whole that is too much to be read: not the fault of the feature at which it shows. */
export class TooMuch extends BadPlaceFile {}

/**
 * What can be made of each entry; bad ones are left out and told. Throws the first fault where no entry is good, so that a file
 * that is wrong throughout is refused rather than read as empty.
 */
export function usable<T, R>(entries: readonly T[], read: (entry: T, index: number) => R, tell: Tell): R[] {
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
  for (const { message } of faults) tell(leftOut(message));
  return good;
}

/** 'features[3]: no area' -> 'features[3]: left out: no area'; 'polygon 0 ring 1: short' -> 'polygon 0 ring 1 left out: short'. */
function leftOut(message: string): string {
  const [, where = '', reason = message] = /^([^:]+): (.*)$/s.exec(message) ?? [];
  return where.startsWith('features[') ? `${where}: left out: ${reason}` : `${where} left out: ${reason}`;
}

/** Runs `read` and puts `where` before the message of a `BadPlaceFile` that it throws; what is too much is so anywhere. */
export function at<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadPlaceFile && !(error instanceof TooMuch))
      throw new BadPlaceFile(`${where}: ${error.message}`, error.file);
    throw error;
  }
}

/** Waits for `work` and puts the file that was read on a `BadPlaceFile` that it throws. */
export async function blaming<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooMuch) throw new TooMuch(error.message, error.file ?? file);
    if (error instanceof BadPlaceFile) throw new BadPlaceFile(error.message, error.file ?? file);
    throw error;
  }
}
