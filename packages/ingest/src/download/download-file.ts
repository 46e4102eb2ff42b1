import { DomainError, isDomainError, publicAddress } from '@headwater/core/errors';
import { Network, type NetworkOptions, transientFailure, type TransientFailure } from '@headwater/net';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { FEATURE_ENDINGS } from '../import/formats/open-features.ts';
import { authorization, withoutUser } from '../scenes/href.ts';
import { partOf, writeDownloadState } from './download-state.ts';
import { fetchPart } from './fetch-part.ts';
import { freeBytesOf } from './free-space.ts';
import { PartFile } from './part-file.ts';
import { type Downloaded, type FileAsked, wholeAlready } from './whole-file.ts';

/** Bytes of a checksum's file that are read at most: lists of many files are longer than what is of use here. */
const MOST_BYTES = 65_536;

/** Hex SHA-256 of a file on the disk, as it was written there. */
async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { signal, highWaterMark: 1_000_000 })) {
    const bytes: Uint8Array = piece;
    hash.update(bytes);
  }
  return hash.digest('hex');
}

/**
 * The checksum that lies beside a file, under its address with `.sha256` at the end, as `sha256sum` writes it; undefined where none does.
 * Throws `unavailable` where the server does not answer.
 */
async function checksumBeside(url: string, network: Network, signal: AbortSignal): Promise<string | undefined> {
  const address = new URL(withoutUser(url));
  const name = address.pathname.slice(address.pathname.lastIndexOf('/') + 1);
  address.pathname += '.sha256';
  const ask = async (until: AbortSignal): Promise<string | TransientFailure> => {
    const answer = await network.send({ href: address.href, headers: {}, ...authorization(url, address.href) }, until);
    if (answer.status === 200) return Buffer.from(await answer.bytes(MOST_BYTES)).toString();
    answer.discard();
    return transientFailure(answer, network.tools.now()) ?? '';
  };
  try {
    return checksumIn(await network.request({ shown: publicAddress(address.href), signal, ask }), name);
  } catch (error) {
    // Nobody promised that there is one: whatever is not asked, or is no such list, is none.
    if (isDomainError(error) && error.code === 'input_data') return undefined;
    throw error;
  }
}

/** The line of this file among several, or the only one. */
function checksumIn(text: string, name: string): string | undefined {
  const lines = text.split('\n').flatMap((line) => {
    const [, sum, file] = /^\s*([0-9a-f]{64})(?:\s+\*?(.*\S))?\s*$/i.exec(line) ?? [];
    return sum === undefined ? [] : [{ sum: sum.toLowerCase(), file }];
  });
  return (lines.length === 1 ? lines[0] : lines.find(({ file }) => file === name))?.sum;
}

/** The ending by which importers know the format: that of the file's beginning, of the kinds of JSON that of its address. */
async function endingOf(path: string, url: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    if (head.startsWith('SQLite format 3\0')) return '.gpkg';
    if (head.startsWith('PK\u0003\u0004')) return '.zip';
    // A byte order mark, and the separator of records (RFC 8142), may stand first.
    if (
      !head
        .replace(/^\u00EF\u00BB\u00BF/, '')
        .replace('\u001E', '')
        .trimStart()
        .startsWith('{')
    )
      return undefined;
    const said = /\.\w+$/.exec(new URL(url).pathname)?.[0].toLowerCase() ?? '';
    return FEATURE_ENDINGS.includes(said) && said !== '.gpkg' && said !== '.zip' ? said : '.geojson';
  } finally {
    await file.close();
  }
}

/** What is downloaded, where to, and how. */
export interface DownloadOptions extends FileAsked {
  /** The origin of `url` itself is always asked, wherever its host lies. */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'> | undefined;
  readonly limits?: Partial<DownloadLimits>;
  /** Default: what the system tells of the folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Called as bytes come; `total` where the server tells it. */
  readonly progress?: (received: number, total: number | undefined) => void;
  /** Told in whole sentences what an operator may want to know, such as that all begins anew, or waits. */
  readonly notice?: (message: string) => void;
  readonly signal: AbortSignal;
}

/** What a download may cost. */
export interface DownloadLimits {
  /** A connection that brings fewer than `leastBytes` in so long a time is given up, ms. */
  readonly stallMs: number;
  readonly leastBytes: number;
  /** Time of the whole, ms, in one process. */
  readonly totalMs: number;
  /** Time that may pass in waiting for a server that is away, ms. */
  readonly patienceMs: number;
  readonly mostBytes: number;
}

/** 8 GB take 48 hours at 370 kbit/s; no file of boundaries is known that has 200 GB. */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  stallMs: 60_000,
  leastBytes: 65_536,
  totalMs: 48 * 3_600_000,
  patienceMs: 3_600_000,
  mostBytes: 200e9,
};

/**
 * Downloads a file, going on where an earlier process stopped. What is there already and whole is not asked for again. Throws `unavailable`
 * (another attempt later may succeed), `input_data` (the address or the file is at fault; a file of another checksum is removed), `storage_full`,
 * and the signal's reason; what has come stays on the disk.
 */
export async function downloadFile(options: DownloadOptions): Promise<Downloaded> {
  const limits = { ...DOWNLOAD_LIMITS, ...options.limits };
  const ends = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([options.signal, ends]);
  try {
    return (await wholeAlready(options)) ?? (await download({ ...options, signal }, limits));
  } catch (error) {
    options.signal.throwIfAborted();
    if (!ends.aborted) throw error;
    const text = `${publicAddress(options.url)}: it was not whole after ${limits.totalMs / 3_600_000} hours`;
    throw new DomainError('unavailable', text, { cause: error });
  }
}

function networkOf({ url, network = {}, notice }: DownloadOptions, limits: DownloadLimits): Network {
  const settings = {
    patienceMs: limits.patienceMs,
    timeoutMs: limits.totalMs,
    ...network.settings,
    allowedOrigins: [...(network.settings?.allowedOrigins ?? []), new URL(url).origin],
  };
  return new Network({ ...network, settings, onWait: (note) => (note === null ? undefined : notice?.(note)) });
}

async function download(options: DownloadOptions, limits: DownloadLimits): Promise<Downloaded> {
  const { url, folder, sha256, signal, freeBytes = freeBytesOf, progress = () => {}, notice = () => {} } = options;
  const network = networkOf(options, limits);
  const part = await PartFile.open(folder, publicAddress(url));
  try {
    const sibling = sha256 === undefined ? await checksumBeside(url, network, signal) : undefined;
    await fetchPart({
      url,
      part,
      network,
      progress,
      notice,
      signal,
      mostBytes: limits.mostBytes,
      pace: { lookMs: limits.stallMs, leastBytes: limits.leastBytes },
      isChecked: sha256 !== undefined || sibling !== undefined,
      freeBytes: () => freeBytes(folder),
    });
    const known = { setting: sha256?.toLowerCase(), header: part.version.digest, sibling };
    return await finish(part, { url, folder, signal, known });
  } finally {
    await part.close();
  }
}

interface Finishing extends Pick<DownloadOptions, 'url' | 'folder' | 'signal'> {
  /** Hex checksums by where they were told. */
  readonly known: Readonly<Record<NonNullable<Downloaded['checkedBy']>, string | undefined>>;
}

/** Checks what is on the disk, and gives it the name of what it is. */
async function finish(part: PartFile, { url, folder, signal, known }: Finishing): Promise<Downloaded> {
  const found = await sha256OfFile(partOf(folder), signal);
  const by = (['setting', 'header', 'sibling'] as const).find((name) => known[name] !== undefined);
  if (by !== undefined && known[by] !== found) {
    await part.restart();
    const text = `${publicAddress(url)}: its SHA-256 is ${found}, and ${TOLD[by]} ${known[by]}; what was read of it is dropped`;
    throw new DomainError('input_data', text);
  }
  const ending = await endingOf(partOf(folder), url);
  if (ending === undefined) {
    await part.restart();
    throw new DomainError(
      'input_data',
      `${publicAddress(url)}: it is neither a GeoPackage nor a zip archive nor JSON; correct the address`,
    );
  }
  const name = `boundaries${ending}`;
  const checked = by === undefined ? {} : { checkedBy: by };
  await rename(partOf(folder), join(folder, name));
  await writeDownloadState(folder, {
    source: publicAddress(url),
    version: part.version,
    synced: part.size,
    whole: { name, sha256: found, ...checked },
  });
  return { path: join(folder, name), bytes: part.size, sha256: found, ...checked };
}

const TOLD = {
  setting: 'it was to be',
  header: 'its server tells',
  sibling: 'the file of that name and .sha256 tells',
} as const;
