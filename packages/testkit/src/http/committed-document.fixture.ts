import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@headwater/http-service';

/** The OpenAPI document as it is committed: our own adapters answer as this promises. */
export function committedDocument(): OpenApiDocument {
  const file = new URL('../../../../docs/openapi.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
}
