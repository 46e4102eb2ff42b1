import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DomainError } from '@headwater/core/errors';
import { openRaster, type RasterFile } from '@headwater/raster';
import { Network, transientFailure } from '@headwater/net';
import { checkExists, parseDocument, readText } from './read-json.ts';

/** An open class map. */
export interface OpenMap {
  readonly file: RasterFile;
  readonly title: string;
  /** Path or URL of the map, without secrets. */
  readonly from: string;
  /** True if the Item states that the map was computed from synthetic scenes. */
  readonly isSynthetic: boolean;
}

const MOST_ITEM_BYTES = 16 * 1024 * 1024;
/** Time for pauses and retries, ms; shorter than in the service, because a user waits at the terminal. */
const TIMEOUT_MS = 20_000;

/**
 * Opens a GeoTIFF, or the data of a STAC Item. Throws `input_data` for an unusable map, `unavailable` without a
 * response.
 */
export async function openMap(map: string): Promise<OpenMap> {
  const url = /^https?:/i.test(map) ? new URL(map) : undefined;
  if (url === undefined) checkExists(map);
  if (url === undefined) return openAt(resolve(map), pathToFileURL(resolve(map)), undefined);
  const network = new Network({ settings: { allowedOrigins: [url.origin], patienceMs: TIMEOUT_MS } });
  return openAt(map, url, network);
}

async function openAt(map: string, base: URL, network: Network | undefined): Promise<OpenMap> {
  const from = shownOf(map);
  const access = network === undefined ? {} : { network };
  if (/\.tiff?$/i.test(base.pathname))
    return { file: await openRaster(map, access), title: lastPart(from), from, isSynthetic: false };
  const text = network === undefined ? await readText(map) : await fetchText(map, network);
  const { href, title, isSynthetic } = dataOf(parseDocument(text, from), from);
  const target = new URL(href, base.protocol === 'file:' ? pathToFileURL(`${dirname(map)}/`) : base);
  if (target.protocol === 'file:' && base.protocol !== 'file:')
    throw new DomainError('input_data', `${from}: an Item from a URL cannot refer to a local file`);
  return { file: await openRaster(target.href, access), title, from, isSynthetic };
}

async function fetchText(href: string, network: Network): Promise<string> {
  const shown = shownOf(href);
  const headers = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' };
  const bytes = await network.request({
    shown,
    ask: async (signal) => {
      const response = await network.send({ href, headers }, signal);
      if (response.status >= 200 && response.status < 300) return response.bytes(MOST_ITEM_BYTES);
      response.discard();
      return (
        transientFailure(response, Date.now()) ??
        Promise.reject(
          new DomainError(
            'input_data',
            `${shown}: the server responded ${response.status}; use the URL of a published Item`,
          ),
        )
      );
    },
  });
  return new TextDecoder().decode(bytes);
}

interface ItemData {
  readonly href: string;
  readonly title: string;
  readonly isSynthetic: boolean;
}

/** Returns the address of the Item's TIFF with the role `data`, the title of the Item, and its synthetic flag. */
function dataOf(item: unknown, from: string): ItemData {
  const { type, id, assets, properties } = recordOf(item);
  const found = Object.values(recordOf(assets)).map(recordOf).find(isDataTiff);
  if (type !== 'Feature' || found === undefined || typeof found['href'] !== 'string')
    throw new DomainError(
      'input_data',
      `${from}: not a STAC Item with a GeoTIFF that has the role data; use the Item of a raster layer, or the GeoTIFF itself`,
    );
  const { title, 'headwater:synthetic': synthetic } = recordOf(properties);
  const named = typeof title === 'string' ? title : typeof id === 'string' ? id : from;
  return { href: found['href'], title: named, isSynthetic: synthetic === true };
}

function isDataTiff({ roles, type }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(roles) && roles.includes('data') && typeof type === 'string' && type.startsWith('image/tiff');
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function shownOf(map: string): string {
  if (!/^https?:/i.test(map)) return map;
  const { origin, pathname } = new URL(map);
  return origin + pathname;
}

const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
