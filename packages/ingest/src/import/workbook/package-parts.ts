import { posix } from 'node:path';
import type { ImportRequest } from '../shared/importer.ts';
import type { ZipParts } from '../shared/zip-parts.ts';
import { readWholeXml } from './xml-elements.ts';

/** A relationship of a part of a package (ECMA-376 part 2). */
export interface Relation {
  readonly id: string;
  /** End of its type, which is the same in both kinds of the format: `sharedStrings`. */
  readonly type: string;
  /** Name of the part in the archive; undefined for what lies elsewhere. */
  readonly part: string | undefined;
}

/** Relationships of a part, of the package itself for `''`. Throws `validation` where their list is not there. */
export async function relationsOf(zip: ZipParts, part: string, request: ImportRequest): Promise<readonly Relation[]> {
  const relations: Relation[] = [];
  const open = (element: string, attributes: ReadonlyMap<string, string>): void => {
    if (element !== 'Relationship') return;
    const isElsewhere = attributes.get('TargetMode') === 'External';
    relations.push({
      id: attributes.get('Id') ?? '',
      type: (attributes.get('Type') ?? '').split('/').at(-1) ?? '',
      part: isElsewhere ? undefined : partNamed(zip, part, attributes.get('Target') ?? ''),
    });
  };
  await readWholeXml(zip.read(relationsPart(part)), { open, close: () => undefined }, request);
  return relations;
}

/** Name of the list of relationships of a part: `xl/workbook.xml` -> `xl/_rels/workbook.xml.rels`. */
export const relationsPart = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

/** The part that a target names, from the root or from where the list's own part lies. Case does not matter in names of parts. */
function partNamed(zip: ZipParts, from: string, target: string): string {
  const name = posix.join(target.startsWith('/') ? '' : posix.dirname(from), target).replace(/^\/+/, '');
  if (zip.has(name)) return name;
  return zip.names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}
