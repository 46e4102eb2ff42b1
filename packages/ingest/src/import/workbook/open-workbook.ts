import { posix } from 'node:path';
import { badFile, throwIfStopped, type ImportRequest } from '../shared/import-deps.ts';
import { openZip, type ZipFault, type ZipParts, type ZipRules } from '../shared/zip-parts.ts';
import type { SheetRow } from './raw-cell.ts';
import { readDateStyles, readSharedStrings } from './shared-parts.ts';
import { type CellContext, readSheetRows } from './sheet-rows.ts';
import { readWholeXml, unescapedText } from './xml-elements.ts';

/** Link from a part (file) of a package to another (ECMA-376 part 2). */
interface Relation {
  readonly id: string;
  /**
   * Last segment of the type, such as `sharedStrings`. Both variants of the format (transitional, strict) have the same
   * last segment.
   */
  readonly type: string;
  /** Name of the part in the archive; undefined for a target outside of the archive. */
  readonly part: string | undefined;
}

/** Relationships of a part, or of the package (`''`). Throws `validation` if they are missing. */
async function relationsOf(zip: ZipParts, part: string, request: ImportRequest): Promise<readonly Relation[]> {
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

/** Name of the part's list of relationships: `xl/workbook.xml` -> `xl/_rels/workbook.xml.rels`. */
const relationsPart = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

/**
 * Name of the part to which a target refers. Targets are relative to the root or to the folder of `from`, and not
 * case-sensitive.
 */
function partNamed(zip: ZipParts, from: string, target: string): string {
  const name = posix.join(target.startsWith('/') ? '' : posix.dirname(from), target).replace(/^\/+/, '');
  if (zip.has(name)) return name;
  return zip.names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}

/**
 * Limits of a workbook. A usual workbook has up to 100 files; a sheet of 100,000 rows by 100 columns has 500 MB of XML.
 */
const LIMITS = { entries: 2000, bytes: 1024 ** 3 };
const MOST_SHEETS = 500;
const PACKAGE = relationsPart('');
const WORKBOOK = 'xl/workbook.xml';

/** Relationships that load external data (ECMA-376). Hyperlinks are allowed. */
const ELSEWHERE: readonly string[] = ['externalLink', 'connections'];
const FROM_ELSEWHERE = /^xl\/(externalLinks\/.|connections\.xml$)/i;

/** Sheet of a workbook. */
export interface WorkbookSheet {
  readonly name: string;
  /** Can be called once. */
  readonly rows: () => AsyncGenerator<SheetRow>;
}

/** Open workbook; the caller must close it. */
export interface Workbook {
  /** Sheets in the order of the tabs. */
  readonly sheets: readonly WorkbookSheet[];
  readonly close: () => void;
}

/**
 * Opens an .xlsx (ECMA-376) to read sheets as streams, without computing formulas. Throws `validation` for a file of
 * another format, for external data, and above a limit.
 */
export async function openWorkbook(request: ImportRequest): Promise<Workbook> {
  const zip = await openZip(request.path, rulesOf(request));
  try {
    const workbook = await workbookPart(zip, request);
    const { sheets, calendar } = await readSheetList(zip, workbook, request);
    if (sheets.length === 0) throw notWorkbook(request);
    const relations = await relationsOf(zip, workbook, request);
    if (zip.names.some((name) => FROM_ELSEWHERE.test(name)) || relations.some(({ type }) => ELSEWHERE.includes(type)))
      throw badFile(
        request,
        'it loads data from other files or addresses. Break its links and connections, and save it.',
      );
    const partOf = (type: string): string =>
      relations.find((each) => each.type === type)?.part ?? posix.join(posix.dirname(workbook), `${type}.xml`);
    const context: CellContext = {
      strings: await optional(zip, partOf('sharedStrings'), (name) => readSharedStrings(zip, name, request)),
      dateStyles: await optional(zip, partOf('styles'), (name) => readDateStyles(zip, name, request)),
      calendar,
    };
    const parts = new Map(relations.map(({ id, part }) => [id, part]));
    const known = sheets.map(({ name, relation }) => ({ name, part: parts.get(relation) ?? '' }));
    const withProgress = progressOf(
      request,
      known.reduce((sum, { part }) => sum + zip.sizeOf(part), 0),
    );
    const opened = known.map(({ name, part }) => ({
      name,
      rows: () => readSheetRows(withProgress(zip.read(part)), context, request),
    }));
    return { sheets: opened, close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function rulesOf(request: ImportRequest): ZipRules {
  return {
    ...LIMITS,
    refusal: (fault, about) => badFile(request, REFUSALS[fault](about)),
    onPiece: () => throwIfStopped(request),
  };
}

const REFUSALS: Readonly<Record<ZipFault, (about: string) => string>> = {
  none: (reason) => `it is not a ZIP archive (${reason}). Save it again as an unprotected .xlsx.`,
  broken: (reason) => `its archive is broken (${reason}). Save it again as .xlsx.`,
  entries: (most) => `it contains more than ${most} files. Save it again as .xlsx.`,
  twice: (name) => `it contains the file ${JSON.stringify(name)} twice. Save it again as .xlsx.`,
  missing: (name) => `it lacks the file ${JSON.stringify(name.slice(0, 200))}. Save it again as .xlsx.`,
  encrypted: () => 'it is encrypted. Save it again without a password.',
  bytes: (most) => `it unpacks to more than ${most}; split it.`,
};

async function optional<T>(
  zip: ZipParts,
  name: string,
  read: (name: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return zip.has(name) ? await read(name) : [];
}

const notWorkbook = (request: ImportRequest): Error =>
  badFile(request, 'it is not an .xlsx workbook. Save it again as .xlsx.');

async function workbookPart(zip: ZipParts, request: ImportRequest): Promise<string> {
  const relations = zip.has(PACKAGE) ? await relationsOf(zip, '', request) : [];
  const part = relations.find(({ type }) => type === 'officeDocument')?.part ?? WORKBOOK;
  if (!zip.has(part) || !/\.xml$/i.test(part)) throw notWorkbook(request);
  return part;
}

interface SheetList {
  readonly sheets: readonly { readonly name: string; readonly relation: string }[];
  readonly calendar: CellContext['calendar'];
}

async function readSheetList(zip: ZipParts, workbook: string, request: ImportRequest): Promise<SheetList> {
  const sheets: { name: string; relation: string }[] = [];
  let calendar: CellContext['calendar'] = 'from1900';
  const open = (element: string, attributes: ReadonlyMap<string, string>): void => {
    if (element === 'workbookPr' && /^(1|true)$/.test(attributes.get('date1904') ?? '')) calendar = 'from1904';
    if (element === 'sheet')
      sheets.push({ name: unescapedText(attributes.get('name') ?? ''), relation: attributes.get('id') ?? '' });
    if (sheets.length > MOST_SHEETS) throw badFile(request, `it has more than ${MOST_SHEETS} sheets; split it.`);
  };
  await readWholeXml(zip.read(workbook), { open, close: () => undefined }, request);
  return { sheets, calendar };
}

function progressOf({ progress }: ImportRequest, total: number) {
  let done = 0;
  return async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      done += chunk.byteLength;
      progress?.(done, total);
    }
  };
}
