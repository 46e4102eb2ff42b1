import sax from 'sax';
import { type ImportRequest, badFile } from '../shared/import-deps.ts';

/** Callbacks for elements. Prefixes are removed from the names. */
export interface XmlReader {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  /** Called at the end of an element. `text`: text directly in the element, at most `MOST_TEXT` characters. */
  readonly close: (name: string, text: string) => void;
}

const MOST_DEPTH = 64;
const MOST_ATTRIBUTES = 100;
/** Maximum number of characters in an element; a cell has at most 32,767. */
const MOST_TEXT = 1_000_000;

type SaxEvents = Partial<
  Pick<sax.SAXParser, 'onerror' | 'onattribute' | 'onopentag' | 'ontext' | 'oncdata' | 'onclosetag'>
>;

/**
 * Decodes text of a workbook (`ST_Xstring`, ECMA-376 part 1, 22.9.2.19): `_x000D_` is the character with hex code 000D.
 */
export const unescapedText = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML from chunks, and yields after each. Entities are neither defined nor loaded. Throws `validation` for text
 * that is not XML in UTF-8, and above a limit.
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  reader: XmlReader,
  request: ImportRequest,
): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const texts: string[] = [];
  let attributes = new Map<string, string>();
  const within = (isWithin: boolean, what: string): void => {
    if (!isWithin) throw badFile(request, `its XML has ${what}. Save it again.`);
  };
  const addText = (text: string): void => {
    if (texts.length === 0) return;
    const all = `${texts.at(-1) ?? ''}${text}`;
    within(all.length <= MOST_TEXT, `more than ${MOST_TEXT} characters in one element`);
    texts[texts.length - 1] = all;
  };
  const events: SaxEvents = {
    onerror: (error) => {
      throw badFile(request, `a part of it is not XML (${error.message.split('\n')[0]}). Save it again.`);
    },
    onattribute: ({ name, value }) => {
      attributes.set(local(name), value);
      within(attributes.size <= MOST_ATTRIBUTES, `more than ${MOST_ATTRIBUTES} attributes in one element`);
    },
    onopentag: ({ name }) => {
      texts.push('');
      within(texts.length <= MOST_DEPTH, `more than ${MOST_DEPTH} nested elements`);
      reader.open(local(name), attributes);
      attributes = new Map();
    },
    ontext: addText,
    oncdata: addText,
    onclosetag: (name) => reader.close(local(name), texts.pop() ?? ''),
  };
  Object.assign(parser, events);
  for await (const chunk of chunks) {
    parser.write(decoded(decoder, chunk, request));
    yield;
  }
  parser.write(decoded(decoder, undefined, request)).close();
  yield;
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | undefined,
  request: ImportRequest,
): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw badFile(request, 'a part of it is not in UTF-8. Save it again.');
  }
}

/** Same as `readXml`, but returns at the end of the document. */
export async function readWholeXml(
  chunks: AsyncIterable<Uint8Array>,
  reader: XmlReader,
  request: ImportRequest,
): Promise<void> {
  const pieces = readXml(chunks, reader, request);
  while ((await pieces.next()).done !== true);
}
