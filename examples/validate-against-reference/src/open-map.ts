import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DomainError } from '@headwater/core/errors';
import { openRaster, type RasterFile } from '@headwater/raster';
import { Network, transientFailure } from '@headwater/net';
import { checkThere, parseDocument, readText } from './read-json.ts';

/** A class map that was opened. */
export interface OpenMap {
  readonly file: RasterFile;
  /** What people call it. */
  readonly title: string;
  /** Where it was read, without what a URL may hold in secret. */
  readonly from: string;
  /** The Item says that it was made of synthetic scenes. */
  readonly isSynthetic: boolean;
}

const MOST_ITEM_BYTES = 16 * 1024 * 1024;
/** Whoever waits at a terminal wants to hear sooner than a run does, ms. */
const PATIENCE_MS = 20_000;

/**
 * Opens a GeoTIFF, or the data of a STAC Item, by path or URL. Only the host that was named and public addresses are asked. Throws
 * `input_data` and `unavailable` that say what to do.
 */
export async function openMap(map: string): Promise<OpenMap> {
  const url = /^https?:/i.test(map) ? new URL(map) : undefined;
  if (url === undefined) checkThere(map);
  if (url === undefined) return openAt(resolve(map), pathToFileURL(resolve(map)), undefined);
  const network = new Network({ settings: { allowedOrigins: [url.origin], patienceMs: PATIENCE_MS } });
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
    throw new DomainError('input_data', `${from}: an Item behind a URL may not name a local file`);
  return { file: await openRaster(target.href, access), title, from, isSynthetic };
}

async function fetchText(href: string, network: Network): Promise<string> {
  const shown = shownOf(href);
  const headers = { accept: 'application/geo+json, application/json', 'accept-encoding': 'gzip' };
  const bytes = await network.request({
    shown,
    ask: async (signal) => {
      const answer = await network.send({ href, headers }, signal);
      if (answer.status >= 200 && answer.status < 300) return answer.bytes(MOST_ITEM_BYTES);
      answer.discard();
      return (
        transientFailure(answer, Date.now()) ??
        Promise.reject(
          new DomainError('input_data', `${shown}: it answers ${answer.status}; give the URL of a published Item`),
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

/** The raster of an Item: the asset with the role data, a TIFF. */
function dataOf(item: unknown, from: string): ItemData {
  const { type, id, assets, properties } = recordOf(item);
  const found = Object.values(recordOf(assets)).map(recordOf).find(isDataTiff);
  if (type !== 'Feature' || found === undefined || typeof found['href'] !== 'string')
    throw new DomainError(
      'input_data',
      `${from}: it is no STAC Item with a GeoTIFF of the role data; give the Item of a raster layer, or the GeoTIFF itself`,
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
