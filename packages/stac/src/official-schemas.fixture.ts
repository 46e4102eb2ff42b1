import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { EXTENSIONS } from './extensions.ts';
import { isList, isObject, type JsonObject } from './json.ts';

const FOLDER = new URL('../../../../shared/data/stac-schemas/', import.meta.url);
const EXTENSION_HOST = 'https://stac-extensions.github.io/';
const CORE = 'https://schemas.stacspec.org/v';

/** Reason to skip tests with the official schemas. Undefined if the schemas are present. */
export const skipReason = existsSync(new URL('index.json', FOLDER))
  ? undefined
  : 'the official STAC schemas are absent (../shared/data/stac-schemas next to the repository)';

/** Returns the URLs of the schemas that reject a document. */
export type Judge = (document: unknown) => readonly string[];

/** Compiles the official schemas, registered by URL because some `$id`s are wrong. */
export function officialJudge(scope: 'checked extensions' | 'every extension' = 'checked extensions'): Judge {
  const index = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8')) as Record<
    string,
    { readonly file: string }
  >;
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addFormat('iri', (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(text));
  ajv.addFormat('iri-reference', (text) => /^[^\s<>"{}|\\^`]*$/.test(text));
  const judged = (url: string): boolean =>
    scope === 'every extension'
      ? url in index && url.startsWith(EXTENSION_HOST)
      : Object.values<string>(EXTENSIONS).includes(url);
  const isWanted = (url: string): boolean =>
    /^https:\/\/(?:schemas\.stacspec\.org\/v1\.[01]\.0\/|geojson\.org|proj\.org\/schemas\/v0\.[57])/.test(url) ||
    judged(url);
  for (const [url, { file }] of Object.entries(index)) {
    if (isWanted(url))
      ajv.addSchema({ ...(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as object), $id: url });
  }
  return (document) => judge(ajv, document, judged);
}

function judge(ajv: Ajv, document: unknown, judged: (url: string) => boolean): readonly string[] {
  if (!isObject(document)) return ['not an object'];
  const kind = { Collection: 'collection', Catalog: 'catalog' }[String(document['type'])] ?? 'item';
  const core = `${CORE}${String(document['stac_version'])}/${kind}-spec/json-schema/${kind}.json`;
  const extensions = isList(document['stac_extensions']) ? document['stac_extensions'] : [];
  const urls = [core, ...new Set(extensions.filter((url) => typeof url === 'string').filter(judged))];
  return urls.filter((url) => {
    const check: ValidateFunction | undefined = ajv.getSchema(url);
    return check === undefined || !check(url === core ? withoutPlaceholders(document) : document);
  });
}

/**
 * Replaces placeholders such as `{z}` in `xyz` links, because the core schema forbids braces in addresses. The web map
 * links extension requires them.
 */
function withoutPlaceholders(document: JsonObject): JsonObject {
  const { links } = document;
  if (!isList(links)) return document;
  const filled = links.map((link) =>
    isObject(link) && link['rel'] === 'xyz' && typeof link['href'] === 'string'
      ? { ...link, href: link['href'].replace(/\{-?[sxyz]\}/g, '0') }
      : link,
  );
  return { ...document, links: filled };
}
