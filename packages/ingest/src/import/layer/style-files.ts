import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { StyleTexts } from '@headwater/layer-kit';
import type { ImportRequest } from '../shared/importer.ts';
import { badFile } from '../shared/import-deps.ts';
import { readWholeXml } from '../workbook/xml-elements.ts';
import type { LayerOptions } from './layer-options.ts';

const MOST_BYTES = 2 * 1024 ** 2;
/** Element in which each kind of file stands. */
const ROOTS = { qml: 'qgis', sld: 'StyledLayerDescriptor' } as const;

/** Style files that were given, as their bytes are. Throws `validation` for what is no such file. */
export async function readStyles({ styles = {} }: LayerOptions, request: ImportRequest): Promise<Partial<StyleTexts>> {
  const texts: { qml?: string; sld?: string } = {};
  for (const kind of ['qml', 'sld'] as const) {
    const path = styles[kind];
    if (path !== undefined) texts[kind] = await readStyle(path, kind, request);
  }
  return texts;
}

async function readStyle(path: string, kind: keyof typeof ROOTS, request: ImportRequest): Promise<string> {
  const told = { ...request, fileName: path };
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0 || size > MOST_BYTES) throw badFile(told, `a style is a file of 1 to ${MOST_BYTES} bytes.`);
  let root: string | undefined;
  const open = (name: string): void => {
    root ??= name;
  };
  await readWholeXml(createReadStream(path), { open, close: () => undefined }, told);
  if (root !== ROOTS[kind]) throw badFile(told, `it is no ${kind.toUpperCase()}, which begins with <${ROOTS[kind]}>.`);
  return await readFile(path, 'utf8');
}
