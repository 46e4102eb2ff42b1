import sax from 'sax';

/** An element of a document, without comments and processing instructions. */
export interface XmlElement {
  /** Name without prefix. */
  readonly name: string;
  /** Values by name without prefix. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text directly in the element, trimmed; texts of children are not included. */
  readonly text: string;
}

/** Limits for documents of clients. */
const LIMITS = { characters: 2 ** 20, elements: 20_000, depth: 40 } as const;

/**
 * Parses a document. Throws an Error for bad XML, an exceeded limit or a document type, so that nothing is expanded or
 * fetched.
 */
export function readXml(text: string): XmlElement {
  if (text.length > LIMITS.characters)
    throw new Error(`the document has ${text.length} characters; at most ${LIMITS.characters} are read`);
  const parser = sax.parser(true, { position: false });
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open: Open[] = [root];
  let count = 0;
  const add = (part: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  const events: Partial<sax.SAXParser> = {
    onerror: (error) => {
      throw new Error(`the document is not XML (${error.message.split('\n')[0]})`);
    },
    ondoctype: () => {
      throw new Error('the document has a document type, which is refused; remove `<!DOCTYPE …>`');
    },
    onopentag: ({ name, attributes }) => {
      count += 1;
      if (count > LIMITS.elements) throw new Error(`the document has more than ${LIMITS.elements} elements`);
      if (open.length > LIMITS.depth) throw new Error(`the document is nested more than ${LIMITS.depth} levels deep`);
      const element: Open = { name: local(name), attributes: attributesOf(attributes), children: [], text: '' };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    onclosetag: () => {
      const element = open.pop();
      if (element !== undefined) element.text = element.text.trim();
    },
    ontext: add,
    oncdata: add,
  };
  Object.assign(parser, events);
  parser.write(text).close();
  const [document] = root.children;
  if (document === undefined) throw new Error('the document has no element');
  return document;
}

interface Open extends XmlElement {
  text: string;
  readonly children: Open[];
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function attributesOf(attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === 'string' && !name.startsWith('xmlns') ? [[local(name), value]] : [],
    ),
  );
}

/** The first child with this name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** All children with this name. */
export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];
