import { basename, dirname, join } from 'node:path';
import { Network } from '@headwater/net';
import { catalogues, realFolders } from '../scenes/catalogue-folders.ts';
import { asObject, asText, own } from '../scenes/json.ts';
import { resolveHref } from '../scenes/href.ts';
import { readJson } from '../scenes/read-json.ts';
import { walkCatalog } from '../scenes/static-catalog.ts';
import { isImage } from './product-scenes.ts';
import { walkFolder } from './walk-folder.ts';

/** Absolute paths of images and zip files in the folder of scenes that no catalogue in this folder lists. */
export interface UnnamedFiles {
  /** Files that no catalogue lists, so no run reads them. */
  readonly unread: readonly string[];
  /**
   * Files that are no longer needed: downloads that were converted into a catalogue, and converted scenes that were
   * replaced by a newer processing.
   */
  readonly unneeded: readonly string[];
}

/**
 * Path of the product to which a file belongs: the path up to `.SAFE`, or the whole path of a file outside of a SAFE
 * folder.
 */
const unitOf = (path: string): string => /^.*?\.SAFE(?=\/)/i.exec(path)?.[0] ?? path;

/**
 * Finds files in the folder of scenes that no catalogue in this folder lists. A SAFE folder counts as one file. Reads only local
 * documents of the catalogues.
 */
export async function findUnnamedFiles(folder: string): Promise<UnnamedFiles> {
  const named = new Set<string>();
  const sources = new Set<string>();
  const network = new Network();
  const within = await realFolders(folder);
  const add = (item: unknown, itemHref: string): void => {
    for (const value of Object.values(asObject(own(asObject(item) ?? {}, 'assets')) ?? {})) {
      const asset = asObject(value) ?? {};
      const href = resolveHref(itemHref, asText(own(asset, 'href')) ?? '');
      if (href !== undefined) named.add(href);
      const source = asText(own(asset, 'headwater:source'));
      if (source !== undefined) sources.add(unitOf(source));
    }
  };
  const seen = new Set<string>();
  for (const root of await catalogues(folder))
    await walkCatalog(root, {
      readJson: (href, reach) =>
        /^https?:/i.test(href) ? Promise.reject(new Error('not read')) : readJson(href, reach),
      network,
      within,
      query: {},
      into: { add, reject: () => {} },
      seen,
    });
  const files = await walkFolder(folder, () => true);
  const images = files.filter(({ path }) => isImage(path) || /\.zip$/i.test(path));
  // The folder of a converted scene has the same name as the file of its Item. So a file in such a folder was made by a
  // conversion.
  const paths = new Set(files.map(({ path }) => path));
  const isMade = (path: string): boolean => paths.has(join(dirname(path), `${basename(dirname(path))}.json`));
  const others = images.filter(({ path }) => !named.has(path));
  const units = (isUnneeded: boolean): readonly string[] => [
    ...new Set(
      others
        .filter(({ path }) => (sources.has(unitOf(path)) || isMade(path)) === isUnneeded)
        .map(({ path }) => (isMade(path) ? dirname(path) : unitOf(path))),
    ),
  ];
  return { unread: units(false), unneeded: units(true) };
}
