import { open } from 'node:fs/promises';
import { FEATURE_ENDINGS } from '../import/formats/open-features.ts';

/** The ending by which importers know the format: that of the file's beginning, of the kinds of JSON that of its address. */
export async function endingOf(path: string, url: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    if (head.startsWith('SQLite format 3\0')) return '.gpkg';
    if (head.startsWith('PK\u0003\u0004')) return '.zip';
    // A byte order mark, and the separator of records (RFC 8142), may stand first.
    if (
      !head
        .replace(/^\u00EF\u00BB\u00BF/, '')
        .replace('\u001E', '')
        .trimStart()
        .startsWith('{')
    )
      return undefined;
    const said = /\.\w+$/.exec(new URL(url).pathname)?.[0].toLowerCase() ?? '';
    return FEATURE_ENDINGS.includes(said) && said !== '.gpkg' && said !== '.zip' ? said : '.geojson';
  } finally {
    await file.close();
  }
}
