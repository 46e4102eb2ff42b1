import type { Finding } from '@headwater/stac';
import type { TreeFinding } from '@headwater/stac';
import { ahead } from '../tree/ahead.ts';
import { askAsset, type AssetAnswer, type AssetAsking } from './asset-answer.ts';
import type { ListedAsset } from './asset-list.ts';

/** Addresses that are asked at most: a catalogue of a stranger must not make this machine ask the world. */
const MOST_ASKED = 100_000;
/** Requests under way at once. */
const AT_ONCE = 8;
/** Formats that are read in parts. */
const IN_PARTS = /profile=cloud-optimized|parquet|\bcopc\b|flatgeobuf|pmtiles/;

/** How assets are asked for, and how many addresses at most. */
export type AssetChecking = AssetAsking & { readonly mostAsked?: number };

/** Asks for each asset's address, each once, and tells those that do not answer or answer otherwise than their Items say. */
export async function checkAssets(
  assets: readonly ListedAsset[],
  { mostAsked = MOST_ASKED, ...asking }: AssetChecking,
  progress: (done: number, total: number) => void,
): Promise<TreeFinding[]> {
  const byHref = Map.groupBy(assets, ({ href }) => href);
  const hrefs = [...byHref.keys()];
  const findings: TreeFinding[] = [];
  for (const asset of byHref.get(hrefs[mostAsked] ?? '')?.slice(0, 1) ?? [])
    findings.push({ ...tooMany(hrefs.length, mostAsked), document: asset.document });
  const asked = hrefs.slice(0, mostAsked);
  let done = 0;
  for await (const { given, result } of ahead(asked, (href) => askAsset(href, asking), AT_ONCE)) {
    for (const asset of byHref.get(given) ?? [])
      for (const finding of faultsOf(asset, result)) findings.push({ ...finding, document: asset.document });
    done += 1;
    progress(done, asked.length);
  }
  return findings;
}

function tooMany(count: number, mostAsked: number): Finding {
  return {
    rule: 'asset.unchecked',
    severity: 'warning',
    pointer: '/assets',
    got: `${String(count)} addresses in all`,
    expected: `${String(mostAsked)} at most; from here on none is asked`,
    fix: 'lint parts of the tree by themselves',
    source: 'headwater',
  };
}

type Fault = Pick<Finding, 'rule' | 'got' | 'expected' | 'fix'> & Partial<Pick<Finding, 'severity'>>;

function faultsOf(asset: ListedAsset, answer: AssetAnswer | undefined): Finding[] {
  return faults(asset, answer).map((fault) => ({
    severity: 'warning',
    ...fault,
    pointer: `${asset.pointer}/${POINTED[fault.rule] ?? 'href'}`,
    source: 'headwater',
  }));
}

const POINTED: Readonly<Record<string, string>> = { 'asset.type': 'type', 'asset.size': 'file:size' };

function faults({ href, type, size }: ListedAsset, answer: AssetAnswer | undefined): Fault[] {
  if (answer === undefined) {
    const fix = 'give an alternate address that begins with https:// where others are to read it';
    return [
      { rule: 'asset.unchecked', severity: 'info', got: href, expected: 'an address that can be asked here', fix },
    ];
  }
  if (answer.problem !== undefined) {
    const fix = 'publish the file, or correct the address';
    return [{ rule: 'asset.missing', severity: 'error', got: `${href}: ${answer.problem}`, expected: 'a file', fix }];
  }
  const found: Fault[] = [];
  if (size !== undefined && answer.bytes !== undefined && answer.bytes !== size)
    found.push({
      rule: 'asset.size',
      severity: 'error',
      got: String(size),
      expected: `${String(answer.bytes)}, the bytes of the file`,
      fix: 'describe the file anew',
    });
  if (type !== undefined && answer.type !== undefined && essence(type) !== essence(answer.type))
    found.push({
      rule: 'asset.type',
      got: type,
      expected: `${answer.type}, as the server says`,
      fix: 'let the Item and the server say the same',
    });
  if (answer.hasRanges === false && IN_PARTS.test(type ?? ''))
    found.push({
      rule: 'asset.ranges',
      got: 'a server that does not accept ranges',
      expected: 'Accept-Ranges: bytes',
      fix: 'serve it where parts can be asked for',
    });
  if (answer.hasCors === false)
    found.push({
      rule: 'asset.cors',
      got: 'no Access-Control-Allow-Origin',
      expected: 'one that lets pages elsewhere read it',
      fix: 'allow other origins',
    });
  return found;
}

/** A media type without its parameters. */
const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
