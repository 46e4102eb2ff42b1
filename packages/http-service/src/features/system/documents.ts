import type { ConstantDocuments, Ports } from '../../deps.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { Operation } from '../../rows/operation.ts';
import { creditsOf } from '../../layers/credits.ts';
import { docsContent, docsPage } from './page/docs-page.ts';
import { guideReplies } from './page/guide-files.ts';
import { guideLine, viewerReplies } from './page/viewer-page.ts';
import type { HeadwaterOptions } from '../../headwater-options.ts';
import { checkedBackgrounds, originsOf } from '../../pages/map-backgrounds.ts';
import { mapReplies } from '../stac-api/page/map-files.ts';
import { raw } from 'hono/html';
import { pageReply } from '../../answering/page-or-document.ts';
import { type Html, languageIn, mapHeaders, PAGE_HEADERS, prefixOf, type Shell } from '../../pages/layout.ts';
import { prepared } from '../../caching/prepared.ts';
import { type KnownNames, NOTHING_KNOWN } from '../../pages/known-names.ts';
import { SERVICE_DESC_TYPE } from '../stac-api/schemas/addresses.ts';
import { exampleCommands } from './example-commands.ts';
import type { Reply } from '../../seam/reply.ts';

interface Surroundings extends Ports<'baseUrl' | 'publication' | 'clock' | 'logger'> {
  readonly operations: readonly Operation[];
  readonly viewers: Pick<HeadwaterOptions, 'apiViewer' | 'guide' | 'mapViewer' | 'mapBackgrounds'>;
}

const FRESH_MS = 10_000;

/** Creates the OpenAPI document, the reference page, and the replies of the API viewer, the guide and the maps. */
export function createDocuments(document: OpenApiDocument, around: Surroundings): ConstantDocuments {
  const { apiViewer, mapViewer } = around.viewers;
  const backgrounds = checkedBackgrounds(around.viewers.mapBackgrounds);
  const known = namesFor(around);
  // The document has the public address of this service.
  const text = once(() => JSON.stringify({ ...document, servers: [{ url: around.baseUrl }] }));
  return {
    known,
    openapi: once(() => prepared(text())),
    serviceDesc: once(() => prepared(text(), { type: SERVICE_DESC_TYPE })),
    docs: docsFor(document, known, around),
    viewer:
      apiViewer && viewerReplies(apiViewer, { baseUrl: around.baseUrl, hasGuide: around.viewers.guide !== undefined }),
    guide: around.viewers.guide && guideReplies(around.viewers.guide, around.baseUrl),
    maps: mapViewer && {
      file: mapReplies(mapViewer, around.clock),
      backgrounds,
      headers: mapHeaders(originsOf(backgrounds)),
    },
  };
}

function namesFor({ clock, logger }: Surroundings): ConstantDocuments['known'] {
  let lastLookup: { readonly atMs: number; readonly known: Promise<KnownNames> } | undefined;
  return (lookUp) => {
    const now = clock.now().getTime();
    if (lastLookup === undefined || now - lastLookup.atMs >= FRESH_MS) {
      const known = lookUp().catch((error: unknown) => {
        logger.error(
          { error },
          'the names of places and layers could not be read, so examples in the API reference use names that this service may not have',
        );
        return NOTHING_KNOWN;
      });
      lastLookup = { atMs: now, known };
    }
    return lastLookup.known;
  };
}

interface CachedDocs {
  readonly key: string;
  readonly content: Promise<Html>;
  readonly ofVisitors: Map<string, Promise<Reply>>;
}

function docsFor(
  document: OpenApiDocument,
  knownNames: ConstantDocuments['known'],
  around: Surroundings,
): ConstantDocuments['docs'] {
  let cached: CachedDocs | undefined;
  const contentOf = async (known: KnownNames): Promise<Html> => {
    const { baseUrl, publication, operations } = around;
    const lines = exampleCommands(operations, { baseUrl, known });
    return raw(String(await docsContent(document, { baseUrl, credits: creditsOf(publication, []), lines })));
  };
  const guideOf = (shell: Shell): Html | '' =>
    guideLine(around.viewers.guide !== undefined, { prefix: prefixOf(around.baseUrl), shell });
  const replyOf = async (content: Promise<Html>, shell: Shell): Promise<Reply> =>
    pageReply(docsPage({ baseUrl: around.baseUrl, guide: guideOf(shell) }, await content, shell), shell, {
      ...PAGE_HEADERS,
      vary: 'Accept-Language',
    });
  return async (lookUp, reader) => {
    // Of the query, only the language is kept. Other parameters do not change the page, but would fill the cache.
    const shell = { ...reader, query: languageIn(reader.query).slice(1) };
    const known = await knownNames(lookUp);
    const { note, values, files = [], absent = [], body } = known;
    const key = JSON.stringify([note, [...values], [...files], [...absent], body]);
    if (cached?.key !== key) {
      const made = { key, content: contentOf(known), ofVisitors: new Map() };
      cached = made;
      made.content.catch(() => {
        if (cached === made) cached = undefined;
      });
    }
    const { content, ofVisitors } = cached;
    // A page with the name of the user is not cached.
    if (shell.account?.name !== undefined) return await replyOf(content, shell);
    const visitor = JSON.stringify(shell);
    const reply = ofVisitors.get(visitor) ?? replyOf(content, shell);
    ofVisitors.set(visitor, reply);
    return await reply;
  };
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
