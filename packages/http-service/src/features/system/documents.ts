import type { ConstantDocuments, Ports } from '../../deps.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { Operation } from '../../rows/operation.ts';
import { creditsOf } from '../../layers/credits.ts';
import { docsPage } from './page/docs-page.ts';
import { PAGE_HEADERS } from '../../pages/layout.ts';
import { prepared } from '../../caching/prepared.ts';
import { type KnownNames, NOTHING_KNOWN } from '../../pages/known-names.ts';
import { SERVICE_DESC_TYPE } from '../stac-api/schemas/addresses.ts';
import { pageLines } from './page-lines.ts';
import type { Reply } from '../../seam/reply.ts';

/** What the documents need beside the table; `baseUrl` is the public address, no trailing slash. */
interface Surroundings extends Ports<'baseUrl' | 'publication' | 'clock' | 'logger'> {
  readonly operations: readonly Operation[];
}

/** Names in the reference change when something is published: they are looked up this often at most, ms. */
const FRESH_MS = 10_000;

/** The documents that follow from the table. */
export function createDocuments(document: OpenApiDocument, around: Surroundings): ConstantDocuments {
  const known = namesFor(around);
  // The document that is committed names no server; this one is read where it stands, below a prefix perhaps.
  const text = once(() => JSON.stringify({ ...document, servers: [{ url: around.baseUrl }] }));
  return {
    known,
    openapi: once(() => prepared(text())),
    serviceDesc: once(() => prepared(text(), { type: SERVICE_DESC_TYPE })),
    docs: docsFor(document, known, around),
  };
}

function namesFor({ clock, logger }: Surroundings): ConstantDocuments['known'] {
  let looked: { readonly atMs: number; readonly known: Promise<KnownNames> } | undefined;
  return (look) => {
    const now = clock.now().getTime();
    if (looked === undefined || now - looked.atMs >= FRESH_MS) {
      const known = look().catch((error: unknown) => {
        logger.error({ error }, 'the reference could not look up names of this service');
        return NOTHING_KNOWN;
      });
      looked = { atMs: now, known };
    }
    return looked.known;
  };
}

function docsFor(
  document: OpenApiDocument,
  knownNames: ConstantDocuments['known'],
  around: Surroundings,
): ConstantDocuments['docs'] {
  let kept: { readonly key: string; readonly reply: Promise<Reply> } | undefined;
  return async (look) => {
    const known = await knownNames(look);
    const { told, values, files = [], absent = [], body } = known;
    const key = JSON.stringify([told, [...values], [...files], [...absent], body]);
    if (kept?.key === key) return kept.reply;
    const reply = pageReply(document, known, around);
    kept = { key, reply };
    reply.catch(() => {
      if (kept?.reply === reply) kept = undefined;
    });
    return reply;
  };
}

async function pageReply(document: OpenApiDocument, known: KnownNames, around: Surroundings): Promise<Reply> {
  const { baseUrl, publication, operations } = around;
  const lines = pageLines(operations, { baseUrl, known });
  const text = String(await docsPage(document, { baseUrl, credits: creditsOf(publication, []), lines }));
  return prepared(text, { type: 'text/html; charset=utf-8', headers: PAGE_HEADERS });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
