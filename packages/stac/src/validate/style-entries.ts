/** A value that a style draws, and its colour as RRGGBB. */
export interface StyleEntry {
  readonly value: number;
  readonly color: string | undefined;
}

/** Elements that draw one value each: QML of a paletted raster, SLD of a colour map. Namespace prefixes are let be. */
const ENTRY = /<(?:[\w-]+:)?(?:paletteEntry|ColorMapEntry)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
/** A name begins where no other goes on: else a long text without `=` would be tried from each of its letters. */
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The values that a style draws, in its own order; those that it draws with no opacity are left out. */
export function styleEntries(xml: string): readonly StyleEntry[] {
  return [...withoutComments(xml).matchAll(ENTRY)].flatMap(([, attributes = '']) => {
    const named = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [name, double ?? single]),
    );
    // Number('') would be 0.
    const written = (named.get('value') ?? named.get('quantity') ?? '').trim();
    const value = written === '' ? Number.NaN : Number(written);
    const isDrawn = Number(named.get('alpha') ?? named.get('opacity') ?? 1) > 0;
    const color = /^#?([0-9A-Fa-f]{6})$/.exec(named.get('color') ?? '')?.[1]?.toUpperCase();
    return Number.isFinite(value) && isDrawn ? [{ value, color }] : [];
  });
}

/** Without what is commented out; a comment that does not end hides the rest. */
function withoutComments(xml: string): string {
  const [first = '', ...others] = xml.split('<!--');
  return (
    first + others.map((part) => part.slice(part.indexOf('-->') < 0 ? part.length : part.indexOf('-->') + 3)).join('')
  );
}
