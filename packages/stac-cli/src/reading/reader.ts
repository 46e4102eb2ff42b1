import { fileURLToPath } from 'node:url';
import { createLimit } from '@headwater/net/retry';
import { createAgain, type AgainOptions } from './again.ts';
import { mib, READ_LIMITS, type ReadLimits } from './limits.ts';
import { parseJson, textOf } from './parse-document.ts';
import { ReadError } from './read-error.ts';
import { readFileBytes } from './read-file.ts';
import { reachFrom, type Reach } from './reach.ts';
import { askUrl, bytesOf } from './read-url.ts';

/** A document with the address at which it was found, after redirects. */
export interface ReadDocument {
  readonly href: string;
  readonly value: unknown;
}

/** Reads documents by their addresses, within its limits. */
export interface Reader {
  /** The parsed document; undefined where there is none. Rejects with `ReadError`. */
  read(href: string): Promise<unknown>;
  /** The same with where it was found. */
  find(href: string): Promise<ReadDocument | undefined>;
}

/** What a reader is made with. */
export interface ReaderOptions extends AgainOptions {
  /** The address that the reading begins at: it decides where what is read may lead, see `reachFrom`. */
  readonly from: string;
  /** Documents in files may name files outside of the root's folder. */
  readonly anyFile?: boolean;
  readonly limits?: Partial<ReadLimits>;
}

const ACCEPT = 'application/geo+json, application/json;q=0.9, */*;q=0.1';
const ABSENT = new Set([404, 410]);

/** A reader of `http:`, `https:` and, where the reading begins at a file, `file:` addresses. */
export function createReader({ from, anyFile = false, limits: given = {}, ...asking }: ReaderOptions): Reader {
  const { signal } = asking;
  const limits = { ...READ_LIMITS, ...given };
  const limit = createLimit(limits.atOnce);
  const [reach, again] = [reachFrom(from, { anyFile }), createAgain(asking)];
  let total = 0;
  const find = (href: string): Promise<ReadDocument | undefined> =>
    limit(async () => {
      signal?.throwIfAborted();
      await reach(href);
      const isFile = href.startsWith('file:');
      const found = await (isFile ? fromFile(href, limits) : again(() => fromUrl(href, { limits, reach, signal })));
      if (found === undefined) return undefined;
      total += found.bytes.byteLength;
      if (total > limits.mostTotalBytes)
        throw new ReadError(`${href}: all documents together are larger than ${mib(limits.mostTotalBytes)}`);
      return { href: found.href, value: parseNamed(href, found.bytes) };
    });
  return { find, read: async (href) => (await find(href))?.value };
}

interface Bytes {
  readonly href: string;
  readonly bytes: Uint8Array;
}

async function fromFile(href: string, limits: ReadLimits): Promise<Bytes | undefined> {
  const bytes = await readFileBytes(fileURLToPath(href), limits);
  return bytes === undefined ? undefined : { href, bytes };
}

interface FromUrl {
  readonly limits: ReadLimits;
  readonly reach: Reach;
  readonly signal: AbortSignal | undefined;
}

async function fromUrl(href: string, { limits, reach, signal }: FromUrl): Promise<Bytes | undefined> {
  const fetched = await askUrl(href, { limits, init: { headers: { accept: ACCEPT } }, reach, signal });
  const { status, ok, body } = fetched.response;
  if (ok) return { href: fetched.href, bytes: await bytesOf(fetched, { limits, signal }) };
  await body?.cancel();
  if (ABSENT.has(status)) return undefined;
  throw new ReadError(`${href} answered with status ${String(status)}`);
}

function parseNamed(href: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(textOf(bytes));
  } catch (error) {
    if (error instanceof ReadError) throw new ReadError(`${href} ${error.message}`);
    throw error;
  }
}
