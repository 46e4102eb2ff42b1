import type { Finding } from '@headwater/stac';
import type { TreeFinding } from '@headwater/stac';
import { mapAhead } from '../tree/map-ahead.ts';
import { requestAsset, type AssetResponse, type AssetRequestOptions } from './request-asset.ts';
import type { ListedAsset } from './asset-list.ts';

/** Default limit of requested addresses: a hostile catalogue must not cause unlimited requests. */
const MOST_REQUESTED = 100_000;
/** Concurrency limit of asset requests. */
const AT_ONCE = 8;
/** Media types of formats that clients read with range requests. */
const READ_BY_RANGE = /profile=cloud-optimized|parquet|\bcopc\b|flatgeobuf|pmtiles/;

/** Options of asset requests, with a limit of addresses. */
export type AssetCheckOptions = AssetRequestOptions & { readonly mostRequested?: number };

/**
 * Requests each asset address only once. Reports assets whose request fails, and assets that differ from the
 * description in their Item.
 */
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

/** A media type without its parameters. */
const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
