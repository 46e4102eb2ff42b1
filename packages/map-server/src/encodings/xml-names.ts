/**
 * First `_` of a part such as `_x0032_` in an original name. It is encoded, so that two names never get the same XML
 * name.
 */
const LOOKS_ENCODED = /_(?=x[0-9A-Fa-f]{4}_)/g;
const encode = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `_x${character.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}_`)
    .join('');

/**
 * Converts a name to an XML name without a colon. Other characters than ASCII letters, digits, `_`, `.` and `-` become
 * `_xHHHH_` (UTF-16, as in SQL/XML). So does a digit, `.` or `-` at the start. Different names stay different, except
 * that the empty name becomes `_x`.
 */
export function xmlName(name: string): string {
  const encoded = name.replace(LOOKS_ENCODED, '_x005F_').replace(/[^A-Za-z0-9_.-]/g, encode);
  return encoded === '' ? '_x' : encoded.replace(/^[0-9.-]/, encode);
}

/** Converts a result of `xmlName` back to the original name. */
export function fromXmlName(name: string): string {
  if (name === '_x') return '';
  return name.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Prefixes that a workspace cannot have: prefixes that documents use, reserved prefixes, and prefixes that
 * begin with `OTHER`.
 */
const TAKEN = /^(?:xml.*|ws_.*|gml|gmlcov|swe|wfs|wcs|wms|ows|ogc|fes|sld|xlink|xsi|xsd|xs)$/i;
/** Text that is put before a workspace's name if the name matches `TAKEN`; the result is the prefix. */
const OTHER = 'ws_';

/** GML namespace and prefix of a workspace; different workspaces have different prefixes. */
export function namespaceOf(workspace: string): { readonly prefix: string; readonly uri: string } {
  const name = xmlName(workspace);
  return { prefix: TAKEN.test(name) ? OTHER + name : name, uri: `http://${encodeURIComponent(workspace)}` };
}

/** Possible layer names of an XML name (`workspace:layer`), with and without the `ws_` of `namespaceOf`. */
export const fromPrefixedName = (name: string): readonly string[] => [
  fromXmlName(name),
  ...(name.startsWith(OTHER) ? [fromXmlName(name.slice(OTHER.length))] : []),
];
