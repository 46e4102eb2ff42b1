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

/** Runs `read` and puts `where` before the message of a `BadPlaceFile` that it throws. */
export function at<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadPlaceFile) throw new BadPlaceFile(`${where}: ${error.message}`, error.file);
    throw error;
  }
}

/** Waits for `work` and puts the file that was read on a `BadPlaceFile` that it throws. */
export async function blaming<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadPlaceFile) throw new BadPlaceFile(error.message, error.file ?? file);
    throw error;
  }
}
