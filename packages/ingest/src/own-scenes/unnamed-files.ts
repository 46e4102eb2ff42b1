import { basename, dirname, join } from 'node:path';
import { Network } from '@headwater/net';
import { catalogues, realFolders } from '../scenes/catalogue-folders.ts';
import { asObject, asText, own } from '../scenes/json.ts';
import { resolveHref } from '../scenes/href.ts';
import { readJson } from '../scenes/read-json.ts';
import { walkCatalog } from '../scenes/static-catalog.ts';
import { isImage } from './product-scenes.ts';
import { walkFolder } from './walk-folder.ts';

/**
 * Absolute paths of images and zip files that no catalogue of the folder lists. For a SAFE folder or a converted
 * scene, the folder is listed instead of its files.
 */
export interface UnnamedFiles {
  /** Files that no run reads. */
  readonly unread: readonly string[];
  /** Converted downloads, and scenes that a newer processing replaced. */
  readonly unneeded: readonly string[];
  /** False if the folder has too many files, so that only the first were compared. */
  readonly isWhole: boolean;
}

/** Path of the file's product: up to `.SAFE`, or the whole path outside of a SAFE folder. */
const unitOf = (path: string): string => /^.*?\.SAFE(?=\/)/i.exec(path)?.[0] ?? path;

/** Finds files that no catalogue of the folder lists. A SAFE folder counts as one file. */
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
  const { files, isWhole } = await walkFolder(folder, () => true);
  const images = files.filter(({ path }) => isImage(path) || /\.zip$/i.test(path));
  // A conversion made the image if its folder also contains the Item: a JSON file with the name of the folder.
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
  return { unread: units(false), unneeded: units(true), isWhole };
}
