import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

/** A version and its date. */
export interface Release {
  readonly version: string;
  /** `YYYY-MM-DD`; undefined before the release, and in an installed package. */
  readonly date: string | undefined;
}

/** Version of this package. */
export async function readVersion(): Promise<string> {
  return (await readRelease()).version;
}

/** Version of this package; in a checkout also its date. */
export async function readRelease(): Promise<Release> {
  const file = new URL('../../../VERSION', import.meta.url);
  if (!isCheckout()) return { version: await packageVersion(), date: undefined };
  const text = await readFile(file, 'utf8');
  const [head = ''] = text.split('\n', 1);
  const [version = '0.0.0'] = head.split(/\s/, 1);
  return { version, date: /\d{4}-\d\d-\d\d/.exec(head)?.[0] };
}

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

/** True in the repository, false in an installed package. */
export const isCheckout = (): boolean => existsSync(new URL('../tsconfig.json', import.meta.url));
