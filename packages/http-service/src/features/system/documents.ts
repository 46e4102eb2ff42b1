import type { ConstantDocuments, Ports } from '../../deps.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { Operation } from '../../rows/operation.ts';
import { creditsOf } from '../../layers/credits.ts';
import { docsPage } from './page/docs-page.ts';
import { viewerReplies } from './page/viewer-page.ts';
import type { HeadwaterOptions } from '../../headwater-options.ts';
import { checkedBackgrounds, originsOf } from '../../pages/map-backgrounds.ts';
import { mapReplies } from '../stac-api/page/map-files.ts';
import { mapHeaders, PAGE_HEADERS } from '../../pages/layout.ts';
import { prepared } from '../../caching/prepared.ts';
import { type KnownNames, NOTHING_KNOWN } from '../../pages/known-names.ts';
import { SERVICE_DESC_TYPE } from '../stac-api/schemas/addresses.ts';
import { exampleCommands } from './example-commands.ts';
import type { Reply } from '../../seam/reply.ts';

/** Dependencies of the documents; `baseUrl` is the public address without trailing slash. */
interface Surroundings extends Ports<'baseUrl' | 'publication' | 'clock' | 'logger'> {
  readonly operations: readonly Operation[];
  readonly viewers: Pick<HeadwaterOptions, 'apiViewer' | 'mapViewer' | 'mapBackgrounds'>;
}

/** Shortest time between two look-ups of the names in the reference, ms: they change when something is published. */
const FRESH_MS = 10_000;

/** Creates the documents that are generated from the table of operations. */
export function createDocuments(document: OpenApiDocument, around: Surroundings): ConstantDocuments {
  const { apiViewer, mapViewer } = around.viewers;
  const backgrounds = checkedBackgrounds(around.viewers.mapBackgrounds);
  const known = namesFor(around);
  // The committed document names no server. The served one gets its own address, which may have a path prefix.
  const text = once(() => JSON.stringify({ ...document, servers: [{ url: around.baseUrl }] }));
  return {
    known,
    openapi: once(() => prepared(text())),
    serviceDesc: once(() => prepared(text(), { type: SERVICE_DESC_TYPE })),
    docs: docsFor(document, known, around),
    viewer: apiViewer && viewerReplies(apiViewer, around.baseUrl),
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
        logger.error({ error }, 'could not look up names of this service for the API reference');
        return NOTHING_KNOWN;
      });
      lastLookup = { atMs: now, known };
    }
    return lastLookup.known;
  };
}

function docsFor(
  document: OpenApiDocument,
  knownNames: ConstantDocuments['known'],
  around: Surroundings,
): ConstantDocuments['docs'] {
  let cached: { readonly key: string; readonly reply: Promise<Reply> } | undefined;
  return async (lookUp) => {
    const known = await knownNames(lookUp);
    const { note, values, files = [], absent = [], body } = known;
    const key = JSON.stringify([note, [...values], [...files], [...absent], body]);
    if (cached?.key === key) return cached.reply;
    const reply = pageReply(document, known, around);
    cached = { key, reply };
    reply.catch(() => {
      if (cached?.reply === reply) cached = undefined;
    });
    return reply;
  };
}

async function pageReply(document: OpenApiDocument, known: KnownNames, around: Surroundings): Promise<Reply> {
  const { baseUrl, publication, operations } = around;
  const lines = exampleCommands(operations, { baseUrl, known });
  const text = String(await docsPage(document, { baseUrl, credits: creditsOf(publication, []), lines }));
  return prepared(text, { type: 'text/html; charset=utf-8', headers: PAGE_HEADERS });
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
