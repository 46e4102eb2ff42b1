import { isObject } from '@headwater/stac';
import { stat } from 'node:fs/promises';
import type { AgainOptions } from './again.ts';
import { READ_LIMITS } from './limits.ts';
import { linesOf } from './lines.ts';
import { LINES, listFiles } from './source.ts';
import { parseJson, textOf } from './parse-document.ts';
import { messageOf, ReadError } from './read-error.ts';
import { createReader } from './reader.ts';
import { fileHref, type Source, sourceOf } from './source.ts';

const TYPES: readonly unknown[] = ['Feature', 'Collection', 'Catalog'];

/**
 * True for what means to be a STAC document, conforming or not; a folder may hold other JSON beside its catalogue. A Feature with neither
 * links nor assets is data: one of GeoJSON.
 */
export function isStac(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { stac_version: version, type, links, assets } = value;
  if (version !== undefined) return true;
  return TYPES.includes(type) && (type !== 'Feature' || links !== undefined || assets !== undefined);
}

/** A document to validate, or why there is none; `share` of its source is then read (0-1). */
export interface SourceDocument {
  readonly name: string;
  readonly share: number;
  readonly value?: unknown;
  readonly unreadable?: string;
}

/** The documents that a path or an address names, one at a time; one that cannot be read stands for what is not there or holds none, so that nothing passes as sound. */
export async function* documentsAt(text: string, asking: AgainOptions): AsyncGenerator<SourceDocument> {
  const source = await sourceOf(text).catch(unreadableAs(text));
  if (!('kind' in source)) {
    yield source;
    return;
  }
  let count = 0;
  for await (const document of foundIn(source, asking)) {
    count += 1;
    yield document;
  }
  const name = source.kind === 'url' ? source.href : source.path;
  const where = source.kind === 'folder' ? ' in a file that ends in .json, .geojson or .ndjson' : '';
  if (count === 0) yield { name, share: 1, unreadable: `it holds no STAC document${where}` };
}

function unreadableAs(name: string): (error: unknown) => SourceDocument {
  return (error) => {
    if (!(error instanceof ReadError)) throw error;
    return { name, share: 1, unreadable: error.message };
  };
}

async function* foundIn(source: Source, asking: AgainOptions): AsyncGenerator<SourceDocument> {
  if (source.kind === 'url') yield* fromAddress(source.href, { name: source.href, share: 1 }, asking);
  else if (source.kind === 'folder') yield* fromFolder(source.path, asking);
  else yield* fromPath(source.path, { from: 0, to: 1 }, asking);
}

async function* fromFolder(folder: string, asking: AgainOptions): AsyncGenerator<SourceDocument> {
  const files = await listFiles(folder);
  for (const [index, path] of files.entries()) {
    const part = { from: index / files.length, to: (index + 1) / files.length };
    for await (const document of fromPath(path, part, asking)) {
      // A folder may hold other JSON beside its catalogue.
      if (document.unreadable === undefined && !isStac(document.value)) continue;
      yield document;
    }
  }
}

/** Which part of all work a file is. */
interface Part {
  readonly from: number;
  readonly to: number;
}

async function* fromPath(path: string, part: Part, asking: AgainOptions): AsyncGenerator<SourceDocument> {
  if (LINES.test(path)) yield* fromLines(path, part, asking);
  else yield* fromAddress(fileHref(path), { name: path, share: part.to }, asking);
}

async function* fromLines(path: string, { from, to }: Part, asking: AgainOptions): AsyncGenerator<SourceDocument> {
  const { size } = await stat(path);
  try {
    for await (const { number, bytes, done } of linesOf(path, READ_LIMITS.mostBytes)) {
      asking.signal?.throwIfAborted();
      const share = from + (to - from) * (size === 0 ? 1 : done / size);
      yield { name: `${path}:${String(number)}`, share, ...parsed(bytes) };
    }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    yield { name: path, share: to, unreadable: error.message };
  }
}

function parsed(bytes: Uint8Array): { readonly value: unknown } | { readonly unreadable: string } {
  try {
    return { value: parseJson(textOf(bytes)) };
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/** One document, or the Items of a FeatureCollection, which searches answer. */
async function* fromAddress(
  href: string,
  { name, share }: { readonly name: string; readonly share: number },
  asking: AgainOptions,
): AsyncGenerator<SourceDocument> {
  try {
    const value = await createReader({ ...asking, from: href }).read(href);
    if (value === undefined) yield { name, share, unreadable: `there is no document at ${name}` };
    else if (isObject(value) && value['type'] === 'FeatureCollection' && Array.isArray(value['features']))
      for (const [index, feature] of value['features'].entries())
        yield { name: `${name}#/features/${String(index)}`, share, value: feature };
    else yield { name, share, value };
  } catch (error) {
    // The end of the time is told of the whole, not of the document that it came at.
    asking.signal?.throwIfAborted();
    if (!(error instanceof ReadError)) throw error;
    yield { name, share, unreadable: error.message };
  }
}
