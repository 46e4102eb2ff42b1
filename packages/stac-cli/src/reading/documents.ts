import { isObject } from '@headwater/stac';
import { stat } from 'node:fs/promises';
import type { RetryOptions } from './retry.ts';
import { READ_LIMITS } from './limits.ts';
import { linesOf } from './lines.ts';
import { LINES, listFiles } from './source.ts';
import { parseJson, textOf } from './parse-document.ts';
import { messageOf, ReadError } from '../errors.ts';
import { createReader } from './reader.ts';
import { fileHref, type Source, sourceOf } from './source.ts';

const TYPES: readonly unknown[] = ['Feature', 'Collection', 'Catalog'];

/** True for a probable STAC document, even if invalid. A Feature without version, links and assets is only GeoJSON. */
export function isStac(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { stac_version: version, type, links, assets } = value;
  if (version !== undefined) return true;
  return TYPES.includes(type) && (type !== 'Feature' || links !== undefined || assets !== undefined);
}

/**
 * A document to validate, or the reason why the document is unreadable. `share` (0-1) is the progress in the source.
 */
export interface SourceDocument {
  readonly name: string;
  readonly share: number;
  readonly value?: unknown;
  readonly unreadable?: string;
}

/** Yields the documents of a path or address. A missing or empty source is yielded as unreadable. */
export async function* documentsAt(text: string, options: RetryOptions): AsyncGenerator<SourceDocument> {
  const source = await sourceOf(text).catch(unreadableAs(text));
  if (!('kind' in source)) {
    yield source;
    return;
  }
  let count = 0;
  for await (const document of foundIn(source, options)) {
    count += 1;
    yield document;
  }
  const name = source.kind === 'url' ? source.href : source.path;
  const where = source.kind === 'folder' ? ' in a file that ends in .json, .geojson, .ndjson, .jsonl or .geojsonl' : '';
  if (count === 0) yield { name, share: 1, unreadable: `it contains no STAC document${where}` };
}

function unreadableAs(name: string): (error: unknown) => SourceDocument {
  return (error) => {
    if (!(error instanceof ReadError)) throw error;
    return { name, share: 1, unreadable: error.message };
  };
}

async function* foundIn(source: Source, options: RetryOptions): AsyncGenerator<SourceDocument> {
  if (source.kind === 'url') yield* fromAddress(source.href, { name: source.href, share: 1 }, options);
  else if (source.kind === 'folder') yield* fromFolder(source.path, options);
  else yield* fromPath(source.path, { from: 0, to: 1 }, options);
}

async function* fromFolder(folder: string, options: RetryOptions): AsyncGenerator<SourceDocument> {
  const files = await listFiles(folder);
  for (const [index, path] of files.entries()) {
    const part = { from: index / files.length, to: (index + 1) / files.length };
    for await (const document of fromPath(path, part, options)) {
      if (document.unreadable === undefined && !isStac(document.value)) continue;
      yield document;
    }
  }
}

interface Part {
  readonly from: number;
  readonly to: number;
}

async function* fromPath(path: string, part: Part, options: RetryOptions): AsyncGenerator<SourceDocument> {
  if (LINES.test(path)) yield* fromLines(path, part, options);
  else yield* fromAddress(fileHref(path), { name: path, share: part.to }, options);
}

async function* fromLines(path: string, { from, to }: Part, options: RetryOptions): AsyncGenerator<SourceDocument> {
  const { size } = await stat(path);
  try {
    for await (const { number, bytes, done } of linesOf(path, READ_LIMITS.mostBytes)) {
      options.signal?.throwIfAborted();
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

async function* fromAddress(
  href: string,
  { name, share }: { readonly name: string; readonly share: number },
  options: RetryOptions,
): AsyncGenerator<SourceDocument> {
  try {
    const value = await createReader({ ...options, from: href }).read(href);
    if (value === undefined) yield { name, share, unreadable: `there is no document at ${name}; check the address` };
    else if (isObject(value) && value['type'] === 'FeatureCollection' && Array.isArray(value['features']))
      for (const [index, feature] of value['features'].entries())
        yield { name: `${name}#/features/${String(index)}`, share, value: feature };
    else yield { name, share, value };
  } catch (error) {
    // An abort ends the whole command.
    options.signal?.throwIfAborted();
    if (!(error instanceof ReadError)) throw error;
    yield { name, share, unreadable: error.message };
  }
}
