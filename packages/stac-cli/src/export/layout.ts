import { createHash } from 'node:crypto';
import { STAC_VERSION } from '@headwater/stac';

/** Id and title of the catalogue between the root and the states. The id is also the name of its folder. */
export const LEVEL = { id: 'tehsil_wise', title: 'Tehsil level Spatio Temporal Asset Catalog' } as const;
const LEVEL_TEXT = 'Layers computed per tehsil: states, districts and blocks, with Items below blocks.';

/**
 * Longest path segment, bytes. It is well below the 255 bytes that file systems allow, because a suffix and an
 * extension may be added.
 */
const LONGEST = 120;
/** Device names that Windows reserves, also if an extension follows. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/;

/** Place of a document in the exported folder. */
export interface Spot {
  /** Path of the document's file below the exported folder, with `/`. */
  readonly file: string;
  readonly id: string;
  /** Names that are already used in the folder of the document. */
  readonly taken: Set<string>;
}

/** Returns the place of the root. */
export function rootSpot(id: string): Spot {
  return { file: 'catalog.json', id, taken: new Set(['catalog.json']) };
}

/**
 * Returns the place of a Catalog or Collection: a folder below the folder of its parent, named by its id without the id
 * of the parent.
 */
export function nodeSpot(above: Spot, { id, type }: { readonly id: string; readonly type: unknown }): Spot {
  const folder = joinPath(folderOf(above.file), segmentOf(shortId(id, above.id), above.taken));
  const name = type === 'Catalog' ? 'catalog.json' : 'collection.json';
  return { file: `${folder}/${name}`, id, taken: new Set([name]) };
}

/** Returns the place of an Item: `{id}/{id}.json` in the folder of its parent. */
export function itemSpot(above: Spot, id: string): Spot {
  const segment = segmentOf(id, above.taken);
  return { file: joinPath(folderOf(above.file), `${segment}/${segment}.json`), id, taken: new Set() };
}

/** True if the layout puts a file of this name into a folder of this name. */
export function isLaidOut(folder: string, name: string): boolean {
  return name === 'catalog.json' || name === 'collection.json' || name === `${folder}.json`;
}

/** Relative href from one exported file to another. */
export function hrefBetween(from: Spot, to: Spot): string {
  const [start, target] = [from.file.split('/').slice(0, -1), to.file.split('/')];
  let shared = 0;
  while (shared < start.length && start[shared] === target[shared]) shared += 1;
  const up = '../'.repeat(start.length - shared);
  return `${up === '' ? './' : up}${target.slice(shared).join('/')}`;
}

/** The catalogue between the root and the states, without its links, which the writer adds. */
export const levelCatalog = (): Record<string, unknown> => ({
  type: 'Catalog',
  stac_version: STAC_VERSION,
  id: LEVEL.id,
  title: LEVEL.title,
  description: LEVEL_TEXT,
  links: [],
});

/**
 * An id without the id of the parent at its start. Ids repeat the names of the levels above (`assam_cachar` in
 * `assam`); names of folders must not.
 */
function shortId(id: string, above: string): string {
  const rest = id.startsWith(`${above}_`) ? id.slice(above.length + 1) : id;
  return rest === '' ? id : rest;
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
}

const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/**
 * An id as a path segment that is valid on every system. Letters become lower case, blanks become `_`, and characters
 * other than letters, digits and `.,_-` are removed. If the segment is then empty, too long or already used, eight
 * digits of the id's hash are added. The segment is added to `taken`.
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

/**
 * Adds a number to a segment that is already used. This happens only if siblings have the same id, which is a fault
 * of the tree.
 */
function unique(segment: string, taken: ReadonlySet<string>): string {
  let number = 2;
  let free = segment;
  while (taken.has(free)) free = `${segment}_${String(number++)}`;
  return free;
}
