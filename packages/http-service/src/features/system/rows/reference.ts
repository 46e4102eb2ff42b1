import { z } from 'zod';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { PageQuery } from '../../../rows/page-queries.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { prefixOf } from '../../../pages/layout.ts';
import { shellFor } from '../../../screens/replies.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { findExampleNames } from '../handlers/example-names.ts';

const HTML = { description: 'A page', media: ['text/html'] };

const getDocs = operation({
  id: 'getDocs',
  method: 'GET',
  path: paths.docs,
  auth: 'public',
  tag: 'system',
  summary: 'Page with the API reference and forms that send requests',
  description: 'Without a viewer this address shows the plain reference.',
  query: PageQuery,
  responses: { 200: HTML },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'page', status: 200 }],
  async handler({ headers, queryText, remoteAddress }, deps) {
    const shell = await shellFor({ headers, queryText, remoteAddress }, deps);
    const { viewer, docs } = deps.documents;
    return await (viewer?.page(shell) ?? docs(() => findExampleNames(deps), shell));
  },
});

const getPlainDocs = operation({
  id: 'getPlainDocs',
  method: 'GET',
  path: paths.plainDocs,
  auth: 'public',
  tag: 'system',
  summary: 'API reference as a page that needs no JavaScript; it has commands to copy',
  query: PageQuery,
  responses: { 200: HTML },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'page', status: 200 }],
  async handler({ headers, queryText, remoteAddress }, deps) {
    const shell = await shellFor({ headers, queryText, remoteAddress }, deps);
    return await deps.documents.docs(() => findExampleNames(deps), shell);
  },
});

const FileParams = z.object({ file: z.string().describe('viewer.js or viewer.css') });

const getDocsFile = operation({
  id: 'getDocsFile',
  method: 'GET',
  path: paths.docsFile,
  auth: 'public',
  tag: 'system',
  summary: 'Script or style sheet of the API reference',
  params: FileParams,
  responses: { 200: { description: 'A file of the viewer', media: ['text/javascript', 'text/css'] } },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: { file: 'other.js' }, status: 404 }],
  async handler({ params: { file }, path }, { documents }) {
    const reply = await documents.viewer?.file(file);
    if (reply === undefined) throw absent('path', { path: path.slice(0, 200) });
    return reply;
  },
});

/** Redirects to the reference from an address that is usual in other services. */
function otherAddress(id: string, path: string) {
  return operation({
    id,
    method: 'GET',
    path,
    auth: 'public',
    tag: 'system',
    summary: 'Redirects to the API reference',
    responses: { 301: { description: 'The API reference is at `Location`.' } },
    errors: [],
    examples: [{ name: 'other address', status: 301 }],
    handler: (_input, { baseUrl }): Reply => ({
      status: 301,
      headers: { location: prefixOf(baseUrl) + paths.docs },
      body: undefined,
    }),
  });
}

const getOpenApi = operation({
  id: 'getOpenApi',
  method: 'GET',
  path: paths.openApi,
  auth: 'public',
  tag: 'system',
  summary: 'This API as an OpenAPI 3.1 document',
  responses: { 200: ok('OpenAPI document', z.looseObject({ openapi: z.literal('3.1.0') })) },
  errors: [],
  examples: [{ name: 'document', status: 200 }],
  handler(_input, { documents }) {
    return documents.openapi();
  },
});

/** Operations that describe the API. */
export const referenceOperations = [
  getDocs,
  getPlainDocs,
  getDocsFile,
  otherAddress('getSwagger', paths.swagger),
  otherAddress('getRedoc', paths.redoc),
  getOpenApi,
] satisfies readonly Operation[];
