import { open } from 'node:fs/promises';
import { stacText } from '@headwater/stac';
import { eachItem } from '../tree/each-item.ts';
import type { DocumentTree, WalkLimits } from '../tree/walk.ts';
import { atomically, type Replacing } from './atomic.ts';

/** How Items are exported to one file. */
export type FileOptions = WalkLimits & Partial<Replacing>;

/** What an export to one file wrote. */
export interface FileExport {
  readonly items: number;
}

/** Writes every Item of a tree as a line of JSON, in the order of the tree, with absolute addresses. The file appears whole or not at all. */
export async function exportNdjson(tree: DocumentTree, file: string, options: FileOptions = {}): Promise<FileExport> {
  const { replace = false, ...limits } = options;
  return atomically(file, { replace }, async (partial) => {
    const handle = await open(partial, 'wx');
    try {
      return { items: await eachItem(tree, limits, async (item) => handle.appendFile(`${stacText(item)}\n`)) };
    } finally {
      await handle.close();
    }
  });
}
