import { fileURLToPath } from 'node:url';
import { createLimit } from '@headwater/net/retry';
import { open } from 'node:fs/promises';
import { createRetry, type RetryOptions } from './retry.ts';
import { mib, READ_LIMITS, type ReadLimits } from './limits.ts';
import { parseJson, textOf } from './parse-document.ts';
import { ReadError, messageOf } from '../errors.ts';
import { createAccessCheck, type AccessCheck } from './access-check.ts';
import { requestUrl, bytesOf } from './read-url.ts';

/** A document and its address after redirects. */
export interface ReadDocument {
  readonly href: string;
  readonly value: unknown;
}

/** Reads documents by address, within the limits. */
export interface Reader {
  /** Parses a document; undefined if it is missing. Throws `ReadError`. */
  read(href: string): Promise<unknown>;
  /** Finds a document and its address after redirects. */
  find(href: string): Promise<ReadDocument | undefined>;
}

/** Options of a reader. */
export interface ReaderOptions extends RetryOptions {
  /** First address of the command, which determines the allowed addresses (`createAccessCheck`). */
  readonly from: string;
  /** True: documents in files may link out of the root's folder. */
  readonly anyFile?: boolean;
  readonly limits?: Partial<ReadLimits>;
}

const ACCEPT = 'application/geo+json, application/json;q=0.9, */*;q=0.1';
const ABSENT = new Set([404, 410]);

/** Creates a reader of http(s) addresses, and of files if the command starts at a file. */
export function createReader({
  from,
  anyFile = false,
  limits: changedLimits = {},
  ...retryOptions
}: ReaderOptions): Reader {
  const { signal } = retryOptions;
  const limits = { ...READ_LIMITS, ...changedLimits };
  const limit = createLimit(limits.atOnce);
  const [checkAccess, retry] = [createAccessCheck(from, { anyFile }), createRetry(retryOptions)];
  let total = 0;
  const find = (href: string): Promise<ReadDocument | undefined> =>
    limit(async () => {
      signal?.throwIfAborted();
      await checkAccess(href);
      const isFile = href.startsWith('file:');
      const found = await (isFile
        ? fromFile(href, limits)
        : retry(() => fromUrl(href, { limits, checkAccess, signal })));
      if (found === undefined) return undefined;
      total += found.bytes.byteLength;
      if (total > limits.mostTotalBytes)
        throw new ReadError(
          `${href}: all documents up to this one are larger than ${mib(limits.mostTotalBytes)} together; give a part of the tree`,
        );
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
  readonly checkAccess: AccessCheck;
  readonly signal: AbortSignal | undefined;
}

async function fromUrl(href: string, { limits, checkAccess, signal }: FromUrl): Promise<Bytes | undefined> {
  const fetched = await requestUrl(href, { limits, init: { headers: { accept: ACCEPT } }, checkAccess, signal });
  const { status, ok, body } = fetched.response;
  if (ok) return { href: fetched.href, bytes: await bytesOf(fetched, { limits, signal }) };
  await body?.cancel();
  if (ABSENT.has(status)) return undefined;
  throw new ReadError(`${href} responded with status ${String(status)}; check the address and the access rights`);
}

function parseNamed(href: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(textOf(bytes));
  } catch (error) {
    if (error instanceof ReadError) throw new ReadError(`${href} ${error.message}`);
    throw error;
  }
}

/** Bytes of a file; undefined if absent. Throws `ReadError` for a folder or a file over the limit. */
export async function readFileBytes(path: string, { mostBytes }: ReadLimits): Promise<Uint8Array | undefined> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new ReadError(`${path} cannot be opened (${messageOf(error)}); check its permissions`);
  });
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ReadError(`${path} is not a file; name a file`);
    if (found.size > mostBytes)
      throw new ReadError(`${path} is larger than ${mib(mostBytes)}, the maximum of a document; split it`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
