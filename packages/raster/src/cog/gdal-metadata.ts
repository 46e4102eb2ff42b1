import type { CogFormat } from './cog-image.ts';

/** GDAL_METADATA XML: band description and one `CATEGORY_{value}` per class name; undefined when there is nothing to say. */
export function gdalMetadata({ description, names }: Pick<CogFormat, 'description' | 'names'>): string | undefined {
  const items = Object.entries(names ?? {}).map(([value, name]) => item(`CATEGORY_${value}`, name));
  if (description != null) items.push(item('DESCRIPTION', description, ' role="description"'));
  return items.length === 0 ? undefined : `<GDALMetadata>\n${items.join('\n')}\n</GDALMetadata>`;
}

/** GDAL escapes the text twice when it writes and undoes both when it reads; a single escape is cut off at the first `&`. */
function item(name: string, text: string, role = ''): string {
  return `  <Item name="${escapeXml(name)}" sample="0"${role}>${escapeXml(escapeXml(text))}</Item>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters are not XML at all, escaped or not: they become spaces. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c).replace(/\p{Cc}/gu, ' ');
}
