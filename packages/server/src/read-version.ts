import { readFile } from 'node:fs/promises';

/** What the top of the VERSION file says. */
export interface Release {
  readonly version: string;
  /** `YYYY-MM-DD`; undefined for a version that is not released yet. */
  readonly date: string | undefined;
}

/** The version on top of the VERSION file. */
export async function readVersion(): Promise<string> {
  return (await readRelease()).version;
}

/** The version on top of the VERSION file, and its day. */
export async function readRelease(): Promise<Release> {
  const text = await readFile(new URL('../../../VERSION', import.meta.url), 'utf8');
  const [head = ''] = text.split('\n', 1);
  const [version = '0.0.0'] = head.split(/\s/, 1);
  return { version, date: /\d{4}-\d\d-\d\d/.exec(head)?.[0] };
}
