import type { ConstantDocuments, ServiceDeps } from './deps.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { Reply } from './reply.ts';
import { docsPage } from './pages/docs-page.ts';
import { PAGE_HEADERS } from './pages/layout.ts';
import { prepared } from './prepared.ts';

/** What the documents need beside the table; `baseUrl` is the public address, no trailing slash. */
type Surroundings = Pick<ServiceDeps, 'baseUrl' | 'credits'>;

/** The documents that follow from the table. */
export function createDocuments(document: OpenApiDocument, around: Surroundings): ConstantDocuments {
  return {
    // The document that is committed names no server; this one is read where it stands, below a prefix perhaps.
    openapi: once(() => prepared(JSON.stringify({ ...document, servers: [{ url: around.baseUrl }] }))),
    docs: once(() => pageReply(document, around)),
  };
}

async function pageReply(document: OpenApiDocument, around: Surroundings): Promise<Reply> {
  const text = String(await docsPage(document, around));
  return prepared(text, { type: 'text/html; charset=utf-8', headers: PAGE_HEADERS });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
