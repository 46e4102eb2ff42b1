import { type Finding, type TreeFinding, isObject, type JsonObject } from '@headwater/stac';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mapAhead } from '../tree/walk.ts';
import type { Retry } from '../reading/retry.ts';
import { messageOf } from '../errors.ts';
import type { AccessCheck } from '../reading/access-check.ts';
import { requestUrl } from '../reading/read-url.ts';

/** Default maximum number of requested addresses, a limit against hostile catalogues. */
const MOST_REQUESTED = 100_000;
const AT_ONCE = 8;
/** Media types that clients read with range requests. */
const READ_BY_RANGE = /profile=cloud-optimized|parquet|\bcopc\b|flatgeobuf|pmtiles/;

/** Options of asset requests. `mostRequested`: maximum number of requested addresses. */
export type AssetCheckOptions = AssetRequestOptions & { readonly mostRequested?: number };

/** Requests each different asset address. Reports failures, and differences from the Item. */
export async function checkAssets(
  assets: readonly ListedAsset[],
  { mostRequested = MOST_REQUESTED, ...requests }: AssetCheckOptions,
  progress: (done: number, total: number) => void,
): Promise<TreeFinding[]> {
  const byHref = Map.groupBy(assets, ({ href }) => href);
  const hrefs = [...byHref.keys()];
  const findings: TreeFinding[] = [];
  for (const asset of byHref.get(hrefs[mostRequested] ?? '')?.slice(0, 1) ?? [])
    findings.push({ ...tooMany(hrefs.length, mostRequested), document: asset.document });
  const requested = hrefs.slice(0, mostRequested);
  let done = 0;
  for await (const { input, result } of mapAhead(requested, (href) => requestAsset(href, requests), AT_ONCE)) {
    for (const asset of byHref.get(input) ?? [])
      for (const finding of findingsOf(asset, result)) findings.push({ ...finding, document: asset.document });
    done += 1;
    progress(done, requested.length);
  }
  return findings;
}

function tooMany(count: number, mostRequested: number): Finding {
  return {
    rule: 'asset.unchecked',
    severity: 'warning',
    pointer: '/assets',
    got: `${String(count)} asset addresses in the tree`,
    expected: `${String(mostRequested)} at most; the assets from here on were not requested`,
    fix: 'lint parts of the tree separately',
    source: 'headwater',
  };
}

type Problem = Pick<Finding, 'rule' | 'got' | 'expected' | 'fix'> & Partial<Pick<Finding, 'severity'>>;

function findingsOf(asset: ListedAsset, answer: AssetResponse | undefined): Finding[] {
  return problemsOf(asset, answer).map((problem) => ({
    severity: 'warning',
    ...problem,
    pointer: `${asset.pointer}/${POINTER_ENDS[problem.rule] ?? 'href'}`,
    source: 'headwater',
  }));
}

const POINTER_ENDS: Readonly<Record<string, string>> = { 'asset.type': 'type', 'asset.size': 'file:size' };

function problemsOf({ href, type, size }: ListedAsset, answer: AssetResponse | undefined): Problem[] {
  if (answer === undefined) {
    const fix = 'add an alternate https:// address if clients should read it';
    return [{ rule: 'asset.unchecked', severity: 'info', got: href, expected: 'a file, http or https address', fix }];
  }
  if (answer.problem !== undefined) {
    const fix = 'publish the file, or correct the address';
    return [{ rule: 'asset.missing', severity: 'error', got: `${href}: ${answer.problem}`, expected: 'a file', fix }];
  }
  const found: Problem[] = [];
  if (size !== undefined && answer.bytes !== undefined && answer.bytes !== size)
    found.push({
      rule: 'asset.size',
      severity: 'error',
      got: String(size),
      expected: `${String(answer.bytes)}, the bytes of the file`,
      fix: 'write the actual size to file:size',
    });
  if (type !== undefined && answer.type !== undefined && essence(type) !== essence(answer.type))
    found.push({
      rule: 'asset.type',
      got: type,
      expected: `${answer.type}, the Content-Type of the server`,
      fix: 'use the same type in the Item and on the server',
    });
  if (answer.hasRanges === false && READ_BY_RANGE.test(type ?? ''))
    found.push({
      rule: 'asset.ranges',
      got: 'a server that does not accept ranges',
      expected: 'Accept-Ranges: bytes',
      fix: 'serve the file with range requests',
    });
  if (answer.hasCors === false)
    found.push({
      rule: 'asset.cors',
      got: 'no Access-Control-Allow-Origin',
      expected: 'a header that allows web pages of other origins',
      fix: 'allow other origins on the server (CORS)',
    });
  return found;
}

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

interface AssetResponse {
  readonly problem?: string;
  readonly type?: string;
  readonly bytes?: number;
  /**
   * `hasRanges`: true if the server supports range requests. `hasCors`: true if pages of other origins may read the
   * asset. Both are undefined for files.
   */
  readonly hasRanges?: boolean;
  readonly hasCors?: boolean;
}

interface AssetRequestOptions {
  readonly checkAccess: AccessCheck;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Repeats failed requests. Without `retry`, each request is sent once. */
  readonly retry?: Retry;
}

const MOST_REDIRECTS = 5;
/** Origin of the CORS test; the server should allow this origin. */
const ORIGIN = 'https://elsewhere.example.org';
const NO_HEAD = new Set([405, 501]);

/**
 * Requests an asset by file or http(s). Undefined for other schemes. Throws only after an abort; other errors are
 * returned as `problem`.
 */
async function requestAsset(href: string, options: AssetRequestOptions): Promise<AssetResponse | undefined> {
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
  // If HEAD is refused, GET follows. Servers often refuse HEAD with 403 for signed addresses, which allow only GET.
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

/** An asset and its document. */
export interface ListedAsset {
  readonly document: string;
  readonly pointer: string;
  /** Absolute address. */
  readonly href: string;
  readonly type: string | undefined;
  /** `file:size`, bytes. */
  readonly size: number | undefined;
}

/** Assets with resolvable addresses. The validator reports the others. */
export function assetsOf(document: string, value: unknown): ListedAsset[] {
  const assets = isObject(value) && isObject(value['assets']) ? value['assets'] : {};
  return Object.entries(assets).flatMap(([key, asset]) => (isObject(asset) ? listed(document, key, asset) : []));
}

function listed(document: string, key: string, { href, type, 'file:size': size }: JsonObject): ListedAsset[] {
  if (typeof href !== 'string' || !URL.canParse(href, document)) return [];
  return [
    {
      document,
      pointer: `/assets/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      href: new URL(href, document).href,
      type: typeof type === 'string' ? type : undefined,
      size: typeof size === 'number' ? size : undefined,
    },
  ];
}
