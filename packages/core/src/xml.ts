declare const xmlBrand: unique symbol;

/** Well-formed XML text. Only this file creates values of this type, so unescaped text cannot enter a document. */
export type Xml = string & { readonly [xmlBrand]: true };

const FORBIDDEN = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
const ALLOWED = new Set(['\t', '\n', '\r']);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML elements and attributes, and drops forbidden characters. */
export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, (c) => (ALLOWED.has(c) ? c : '')).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** Converts a text or a number to escaped character data. */
export const xmlText = (value: string | number): Xml => escapeXml(String(value)) as Xml;

/** An element with escaped attribute values. Throws for an invalid XML name. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Xml[]
): Xml {
  if (![name, ...Object.keys(attributes)].every((n) => /^[A-Za-z_][\w.:-]*$/.test(n)))
    throw new TypeError(`Element ${name}: its name, or the name of an attribute, is not a valid XML name.`);
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const open = `${name}${written.join('')}`;
  return (children.length === 0 ? `<${open}/>` : `<${open}>${children.join('')}</${name}>`) as Xml;
}

/** A whole document with its declaration. `doctype` is inserted unescaped, so it must be a constant. */
export const xmlDocument = (root: Xml, doctype = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}${root}\n`;
