import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Retry } from '../reading/retry.ts';
import { messageOf } from '../errors.ts';
import type { AccessCheck } from '../reading/access-check.ts';
import { requestUrl } from '../reading/read-url.ts';

/** Result of requesting an asset. */
export interface AssetResponse {
  /** Reason for a failure; undefined if the asset exists. */
  readonly problem?: string;
  readonly type?: string;
  readonly bytes?: number;
  /** True if the server supports range requests, and if it allows other origins (CORS). Undefined for files. */
  readonly hasRanges?: boolean;
  readonly hasCors?: boolean;
}

/** Options of asset requests. */
export interface AssetRequestOptions {
  /** Check of the addresses that the tree may link to. */
  readonly checkAccess: AccessCheck;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Retries transient errors. If it is absent, each address is requested only once. */
  readonly retry?: Retry;
}

const MOST_REDIRECTS = 5;
/** Origin sent to test CORS; `access-control-allow-origin` in the response lists allowed origins. */
const ORIGIN = 'https://elsewhere.example.org';
const NO_HEAD = new Set([405, 501]);

/** Requests an asset by file or http(s); undefined for other schemes (`s3:`). Rejects only if aborted. */
export async function requestAsset(href: string, options: AssetRequestOptions): Promise<AssetResponse | undefined> {
  try {
    await options.checkAccess(href);
    if (href.startsWith('file:')) return await statFile(href);
    return /^https?:/.test(href) ? await requestServer(href, options) : undefined;
  } catch (error) {
    options.signal?.throwIfAborted();
    return { problem: messageOf(error) };
  }
}

async function statFile(href: string): Promise<AssetResponse> {
  const found = await stat(fileURLToPath(href)).catch(() => undefined);
  return found?.isFile() === true ? { bytes: found.size } : { problem: 'the file does not exist' };
}

const once: Retry = (work) => work();

async function requestServer(
  href: string,
  { timeoutMs, checkAccess, signal, retry = once }: AssetRequestOptions,
): Promise<AssetResponse> {
  const ask = async (init: RequestInit): Promise<Response> => {
    const limits = { timeoutMs, mostRedirects: MOST_REDIRECTS };
    const { response } = await retry(() => requestUrl(href, { limits, init, checkAccess, signal }));
    await response.body?.cancel();
    return response;
  };
  const headers = { origin: ORIGIN, 'accept-encoding': 'identity' };
  const head = await ask({ method: 'HEAD', headers });
  // Servers often accept only GET for signed addresses.
  if (!NO_HEAD.has(head.status) && head.status !== 403) return responseOf(head, head.headers.get('content-length'));
  const part = await ask({ headers: { ...headers, range: 'bytes=0-0' } });
  const whole =
    part.status === 206 ? part.headers.get('content-range')?.split('/')[1] : part.headers.get('content-length');
  return responseOf(part, whole ?? null);
}

function responseOf({ ok, status, headers }: Response, length: string | null): AssetResponse {
  if (!ok) return { problem: `status ${String(status)}` };
  const type = headers.get('content-type');
  return {
    ...(type === null ? {} : { type }),
    ...(length !== null && /^\d+$/.test(length) ? { bytes: Number(length) } : {}),
    hasRanges: status === 206 || headers.get('accept-ranges') === 'bytes',
    hasCors: ['*', ORIGIN].includes(headers.get('access-control-allow-origin') ?? ''),
  };
}
