import { open } from 'node:fs/promises';
import { eachItem } from '../tree/each-item.ts';
import type { DocumentTree } from '../tree/walk.ts';
import { makeFile, type FileExport, type FileOptions } from '../writing/file-export.ts';

/** Writes every Item of a tree as a line of JSON, in the order of the tree, with absolute addresses. The file appears whole or not at all. */
export async function exportNdjson(tree: DocumentTree, file: string, options: FileOptions = {}): Promise<FileExport> {
  const { replace = false, ...limits } = options;
  return makeFile(file, { replace }, async (partial) => {
    const handle = await open(partial, 'wx');
    try {
      return { items: await eachItem(tree, limits, async (_, text) => handle.appendFile(`${text}\n`)) };
    } finally {
      await handle.close();
    }
  });
}
