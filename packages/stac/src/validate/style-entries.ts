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
  return [...xml.matchAll(ENTRY)].flatMap(([, attributes = '']) => {
    const named = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [name, double ?? single]),
    );
    const value = Number(named.get('value') ?? named.get('quantity') ?? Number.NaN);
    const isDrawn = Number(named.get('alpha') ?? named.get('opacity') ?? 1) > 0;
    const color = /^#?([0-9A-Fa-f]{6})$/.exec(named.get('color') ?? '')?.[1]?.toUpperCase();
    return Number.isFinite(value) && isDrawn ? [{ value, color }] : [];
  });
}
