import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Again } from '../reading/again.ts';
import { messageOf } from '../reading/read-error.ts';
import type { Reach } from '../reading/reach.ts';
import { askUrl } from '../reading/read-url.ts';

/** What asking an asset's address showed. */
export interface AssetAnswer {
  /** Why it does not answer; undefined where it does. */
  readonly problem?: string;
  readonly type?: string;
  readonly bytes?: number;
  /** Whether parts of it can be asked for, and whether pages elsewhere may; known of HTTP only. */
  readonly hasRanges?: boolean;
  readonly hasCors?: boolean;
}

/** How assets are asked for. */
export interface AssetAsking {
  /** Where assets of the tree may lie. */
  readonly reach: Reach;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asks again what may pass; each address is asked once unless given. */
  readonly again?: Again;
}

const MOST_REDIRECTS = 5;
/** Any page of somebody else: those that may read are told by `access-control-allow-origin`. */
const ORIGIN = 'https://elsewhere.example.org';
const NO_HEAD = new Set([405, 501]);

/** Asks an address of a file or of http(s); undefined for one that cannot be asked here (`s3:`). Rejects only where it is stopped. */
export async function askAsset(href: string, asking: AssetAsking): Promise<AssetAnswer | undefined> {
  try {
    await asking.reach(href);
    if (href.startsWith('file:')) return await askFile(href);
    return /^https?:/.test(href) ? await askServer(href, asking) : undefined;
  } catch (error) {
    asking.signal?.throwIfAborted();
    return { problem: messageOf(error) };
  }
}

async function askFile(href: string): Promise<AssetAnswer> {
  const found = await stat(fileURLToPath(href)).catch(() => undefined);
  return found?.isFile() === true ? { bytes: found.size } : { problem: 'there is no such file' };
}

const once: Again = (work) => work();

async function askServer(href: string, { timeoutMs, reach, signal, again = once }: AssetAsking): Promise<AssetAnswer> {
  const ask = async (init: RequestInit): Promise<Response> => {
    const limits = { timeoutMs, mostRedirects: MOST_REDIRECTS };
    const { response } = await again(() => askUrl(href, { limits, init, reach, signal }));
    await response.body?.cancel();
    return response;
  };
  const headers = { origin: ORIGIN, 'accept-encoding': 'identity' };
  const head = await ask({ method: 'HEAD', headers });
  // A signed address is often signed for GET alone.
  if (!NO_HEAD.has(head.status) && head.status !== 403) return answerOf(head, head.headers.get('content-length'));
  const part = await ask({ headers: { ...headers, range: 'bytes=0-0' } });
  const whole =
    part.status === 206 ? part.headers.get('content-range')?.split('/')[1] : part.headers.get('content-length');
  return answerOf(part, whole ?? null);
}

function answerOf({ ok, status, headers }: Response, length: string | null): AssetAnswer {
  if (!ok) return { problem: `status ${String(status)}` };
  const type = headers.get('content-type');
  return {
    ...(type === null ? {} : { type }),
    ...(length !== null && /^\d+$/.test(length) ? { bytes: Number(length) } : {}),
    hasRanges: status === 206 || headers.get('accept-ranges') === 'bytes',
    hasCors: ['*', ORIGIN].includes(headers.get('access-control-allow-origin') ?? ''),
  };
}
