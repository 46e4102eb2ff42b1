import { DomainError, isDomainError, publicAddress } from '@headwater/core/errors';
import { Network, type NetworkOptions, transientFailure, type TransientFailure } from '@headwater/net';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { FEATURE_ENDINGS } from '../import/formats/open-features.ts';
import { digestOfFile, freeBytesOf } from '@headwater/net/files';
import { KML_ENDINGS } from '../import/kml/read-kml.ts';
import { authorization, withoutUser } from '../scenes/href.ts';
import { partOf, writeDownloadState } from './download-state.ts';
import { fetchPart } from './fetch-part.ts';
import { PartFile } from './part-file.ts';
import { type Downloaded, type DownloadTarget, completeFile } from './complete-file.ts';

/** Maximum size of a checksum file, bytes. A longer file probably has the checksums of many files, and is ignored. */
const MOST_BYTES = 65_536;

/**
 * Checksum at the address with `.sha256` appended, as `sha256sum` writes it. Throws `unavailable` without a response.
 */
async function siblingChecksum(url: string, network: Network, signal: AbortSignal): Promise<string | undefined> {
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
    // The checksum file is optional.
    if (isDomainError(error) && error.code === 'input_data') return undefined;
    throw error;
  }
}

function checksumIn(text: string, name: string): string | undefined {
  const lines = text.split('\n').flatMap((line) => {
    const [, sum, file] = /^\s*([0-9a-f]{64})(?:\s+\*?(.*\S))?\s*$/i.exec(line) ?? [];
    return sum === undefined ? [] : [{ sum: sum.toLowerCase(), file }];
  });
  return (lines.length === 1 ? lines[0] : lines.find(({ file }) => file === name))?.sum;
}

const OTHER_THAN_JSON: ReadonlySet<string> = new Set(['.gpkg', '.zip', ...KML_ENDINGS]);

/** Ending by which importers recognise the format: from the first bytes, or for JSON from the address. */
async function endingOf(
  path: string,
  { url, mayBeRaster }: Pick<DownloadOptions, 'url' | 'mayBeRaster'>,
): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    if (head.startsWith('SQLite format 3\0')) return '.gpkg';
    if (mayBeRaster === true && /^(II[*+]\0|MM\0[*+])/.test(head)) return '.tif';
    if (head.startsWith('PK\u0003\u0004')) return '.zip';
    // A byte order mark or record separator (RFC 8142) may precede the text.
    if (
      !head
        .replace(/^\u00EF\u00BB\u00BF/, '')
        .replace('\u001E', '')
        .trimStart()
        .startsWith('{')
    )
      return undefined;
    const fromAddress = /\.\w+$/.exec(new URL(url).pathname)?.[0].toLowerCase() ?? '';
    return FEATURE_ENDINGS.includes(fromAddress) && !OTHER_THAN_JSON.has(fromAddress) ? fromAddress : '.geojson';
  } finally {
    await file.close();
  }
}

/** Options of a download. */
export interface DownloadOptions extends DownloadTarget {
  /**
   * True for an address that the operator did not choose. Such an address must be in a public network, or have an
   * allowed origin.
   */
  readonly isForeign?: boolean;
  /** True if the file may be a TIFF. Default: only files of features. */
  readonly mayBeRaster?: boolean;
  /**
   * Settings, such as allowed origins in private networks, and tools. The origin of `url` is allowed unless
   * `isForeign`.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'> | undefined;
  readonly limits?: Partial<DownloadLimits>;
  /** Free bytes of the folder's file system. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Called as bytes arrive; `total` is undefined if the server sends no length. */
  readonly progress?: (received: number, total: number | undefined) => void;
  /** Called with a message for the operator, such as about a restart. */
  readonly notice?: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Limits of a download. */
export interface DownloadLimits {
  /** Length of a time window, ms. A connection with fewer than `leastBytes` in a window is closed. */
  readonly stallMs: number;
  readonly leastBytes: number;
  /** Time limit of one call of `downloadFile`, ms; the next call continues the download. */
  readonly totalMs: number;
  /** Longest total wait for a server that does not respond, ms. */
  readonly patienceMs: number;
  /** Maximum size of the file, bytes. */
  readonly mostBytes: number;
}

/** Default limits. A connection of 370 kbit/s downloads 8 GB in 48 hours; known files are below 200 GB. */
export const DOWNLOAD_LIMITS: DownloadLimits = {
  stallMs: 60_000,
  leastBytes: 65_536,
  totalMs: 48 * 3_600_000,
  patienceMs: 3_600_000,
  mostBytes: 200e9,
};

/**
 * Downloads a file, or continues a download. Throws `unavailable` if a retry may succeed, `input_data` for a wrong
 * address or file, `storage_full`, or the signal's reason. Received bytes stay on the disk, except a file with a wrong
 * checksum or format.
 */
export async function downloadFile(options: DownloadOptions): Promise<Downloaded> {
  const limits = { ...DOWNLOAD_LIMITS, ...options.limits };
  const ends = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([options.signal, ends]);
  try {
    return (await completeFile(options)) ?? (await download({ ...options, signal }, limits));
  } catch (error) {
    options.signal.throwIfAborted();
    if (!ends.aborted) throw error;
    const text = `${publicAddress(options.url)}: the download was not complete after ${limits.totalMs / 3_600_000} hours; the received part is kept, and the next call continues from there if the server allows it`;
    throw new DomainError('unavailable', text, { cause: error });
  }
}

function networkOf({ url, network = {}, notice, isForeign = false }: DownloadOptions, limits: DownloadLimits): Network {
  const settings = {
    patienceMs: limits.patienceMs,
    timeoutMs: limits.totalMs,
    ...network.settings,
    allowedOrigins: [...(network.settings?.allowedOrigins ?? []), ...(isForeign ? [] : [new URL(url).origin])],
  };
  return new Network({ ...network, settings, onWait: (note) => (note === null ? undefined : notice?.(note)) });
}

async function download(options: DownloadOptions, limits: DownloadLimits): Promise<Downloaded> {
  const { url, folder, sha256, signal, freeBytes = freeBytesOf, progress = () => {}, notice = () => {} } = options;
  const network = networkOf(options, limits);
  const part = await PartFile.open(folder, publicAddress(url));
  try {
    const sibling = sha256 === undefined ? await siblingChecksum(url, network, signal) : undefined;
    await fetchPart({
      url,
      part,
      network,
      progress,
      notice,
      signal,
      mostBytes: limits.mostBytes,
      pace: { windowMs: limits.stallMs, leastBytes: limits.leastBytes },
      isChecked: sha256 !== undefined || sibling !== undefined,
      freeBytes: () => freeBytes(folder),
    });
    const known = { setting: sha256?.toLowerCase(), header: part.version.digest, sibling };
    return await finish(part, { url, folder, signal, known, mayBeRaster: options.mayBeRaster === true });
  } finally {
    await part.close();
  }
}

interface FinishContext extends Pick<DownloadOptions, 'url' | 'folder' | 'signal' | 'mayBeRaster'> {
  readonly known: Readonly<Record<NonNullable<Downloaded['checkedBy']>, string | undefined>>;
}

async function finish(
  part: PartFile,
  { url, folder, signal, known, mayBeRaster = false }: FinishContext,
): Promise<Downloaded> {
  const found = (await digestOfFile(partOf(folder), signal)).sha256;
  const by = (['setting', 'header', 'sibling'] as const).find((name) => known[name] !== undefined);
  if (by !== undefined && known[by] !== found) {
    await part.restart();
    const text = `${publicAddress(url)}: its SHA-256 is ${found}, but ${EXPECTED_BY[by]} ${known[by]}. The downloaded file was removed: ${by === 'setting' ? 'correct the checksum or the address, and download again' : 'download it again; if it differs again, ask the owner of the server'}`;
    throw new DomainError('input_data', text);
  }
  const ending = await endingOf(partOf(folder), { url, mayBeRaster });
  if (ending === undefined) {
    await part.restart();
    throw new DomainError(
      'input_data',
      `${publicAddress(url)}: it is not a GeoPackage, a zip archive${mayBeRaster ? ', a TIFF' : ''} or JSON; correct the address`,
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

const EXPECTED_BY = {
  setting: 'the setting expects',
  header: 'its server sent',
  sibling: 'the checksum file (.sha256) contains',
} as const;
