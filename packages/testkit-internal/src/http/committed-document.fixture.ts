import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@headwater/http-service';

/** Reads the committed OpenAPI document, which responses must match. */
export function committedDocument(): OpenApiDocument {
  const file = new URL('../../../../docs/openapi.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
}
