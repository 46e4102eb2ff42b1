import { createHash } from 'node:crypto';
import { STAC_VERSION } from '@headwater/stac';

/** Id, folder and title of the catalogue between the root and the states. */
export const LEVEL = { id: 'tehsil_wise', title: 'Tehsil level Spatio Temporal Asset Catalog' } as const;
const LEVEL_TEXT = 'Layers computed per tehsil: states, districts and blocks, with Items below blocks.';

/** Longest segment, bytes. File systems allow 255, but suffix and extension may follow. */
const LONGEST = 120;
/** Windows reserves these device names, also with an extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** Place of a document in the exported folder. */
export interface Spot {
  /** Path below the exported folder, with `/`. */
  readonly file: string;
  readonly id: string;
  /** Used names in the folder of the document. */
  readonly taken: Set<string>;
}

/** Place of the root. */
export function rootSpot(id: string): Spot {
  return { file: 'catalog.json', id, taken: new Set(['catalog.json']) };
}

/** Place of a Catalog or Collection: a folder whose name is the id without the parent's id. */
export function nodeSpot(above: Spot, { id, type }: { readonly id: string; readonly type: unknown }): Spot {
  const folder = joinPath(folderOf(above.file), segmentOf(shortId(id, above.id), above.taken));
  const name = type === 'Catalog' ? 'catalog.json' : 'collection.json';
  return { file: `${folder}/${name}`, id, taken: new Set([name]) };
}

/** Place of an Item: `{id}/{id}.json` in the parent's folder. */
export function itemSpot(above: Spot, id: string): Spot {
  const segment = segmentOf(id, above.taken);
  return { file: joinPath(folderOf(above.file), `${segment}/${segment}.json`), id, taken: new Set() };
}

/** True if a folder of an export, with the name `folder`, may contain a file with this name. */
export function isLaidOut(folder: string, name: string): boolean {
  return name === 'catalog.json' || name === 'collection.json' || name === `${folder}.json`;
}

/** Relative href between exported files. */
export function hrefBetween(from: Spot, to: Spot): string {
  const [start, target] = [from.file.split('/').slice(0, -1), to.file.split('/')];
  let shared = 0;
  while (shared < start.length && start[shared] === target[shared]) shared += 1;
  const up = '../'.repeat(start.length - shared);
  return `${up === '' ? './' : up}${target.slice(shared).join('/')}`;
}

/** The catalogue between the root and the states, without links. */
export const levelCatalog = (): Record<string, unknown> => ({
  type: 'Catalog',
  stac_version: STAC_VERSION,
  id: LEVEL.id,
  title: LEVEL.title,
  description: LEVEL_TEXT,
  links: [],
});

/** Removes the parent's id, because ids repeat the levels above (`assam_cachar` in `assam`). */
function shortId(id: string, above: string): string {
  const rest = id.startsWith(`${above}_`) ? id.slice(above.length + 1) : id;
  return rest === '' ? id : rest;
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
}

const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/**
 * Path segment that every file system accepts. A segment that is empty, too long or used gets eight digits of the id's
 * hash.
 */
function segmentOf(id: string, taken: Set<string>): string {
  const plain = id
    .toLowerCase()
    .replaceAll(' ', '_')
    .replace(/[^a-z0-9.,_-]/g, '')
    .replace(/^\.+|\.+$/g, '')
    .replace(DEVICES, '_$&');
  const isWhole = plain !== '' && plain.length <= LONGEST && !taken.has(plain);
  const segment = isWhole ? plain : unique(`${plain.slice(0, LONGEST)}_${hashOf(id)}`.replace(/^_/, ''), taken);
  taken.add(segment);
  return segment;
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}

/** Adds a number to a used segment. This is needed only for siblings with equal ids, which are a fault of the tree. */
function unique(segment: string, taken: ReadonlySet<string>): string {
  let number = 2;
  let free = segment;
  while (taken.has(free)) free = `${segment}_${String(number++)}`;
  return free;
}
