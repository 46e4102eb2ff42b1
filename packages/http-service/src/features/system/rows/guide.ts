import { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';

const FIRST_PAGE = 'index.html';
const MEDIA = ['text/html', 'text/javascript', 'text/css', 'text/plain', 'image/png', 'image/svg+xml', 'font/woff2'];

const name = (text: string) => z.string().describe(text);
const FILE = name('Name of the file, with its extension');

/** Reply with a file of the site. If the site was not built, the 404 has the command that builds it. */
async function fileOf({ documents }: Ports<'documents'>, path: string, address: string): Promise<Reply> {
  const reply = await documents.guide?.(path);
  if (reply !== undefined) return reply;
  const isBuilt = path !== FIRST_PAGE && (await documents.guide?.(FIRST_PAGE)) !== undefined;
  throw isBuilt ? absent('path', { path: address.slice(0, 200) }) : absent('guide', {});
}

const COMMON = {
  method: 'GET',
  auth: 'public',
  tag: 'system',
  responses: { 200: { description: 'A file of the documentation', media: MEDIA }, 304: NOT_MODIFIED },
  errors: [...PARAMETER_ERRORS, 'not_found'],
} as const;

const getGuide = operation({
  ...COMMON,
  id: 'getGuide',
  path: paths.guide,
  summary: 'First page of the documentation: tutorials, guides, reference',
  description: 'A server without the built documentation responds 404, with the command that builds it.',
  examples: [{ name: 'not built', status: 404 }],
  handler: async ({ path }, deps) => await fileOf(deps, FIRST_PAGE, path),
});

const getGuideFile = operation({
  ...COMMON,
  id: 'getGuideFile',
  path: paths.guideFile,
  summary: 'File of the documentation',
  params: z.object({ file: FILE }),
  examples: [{ name: 'not built', params: { file: 'index.html' }, status: 404 }],
  handler: async ({ params: { file }, path }, deps) => await fileOf(deps, file, path),
});

const getGuidePage = operation({
  ...COMMON,
  id: 'getGuidePage',
  path: paths.guidePage,
  summary: 'Page of the documentation',
  params: z.object({ section: name('Group of pages, such as guides'), file: FILE }),
  examples: [{ name: 'not built', params: { section: 'guides', file: 'embed.html' }, status: 404 }],
  handler: async ({ params: { section, file }, path }, deps) => await fileOf(deps, `${section}/${file}`, path),
});

const getGuideChunk = operation({
  ...COMMON,
  id: 'getGuideChunk',
  path: paths.guideChunk,
  summary: 'Script of the documentation',
  params: z.object({ section: name('assets'), folder: name('chunks'), file: FILE }),
  examples: [{ name: 'not built', params: { section: 'assets', folder: 'chunks', file: 'theme.js' }, status: 404 }],
  handler: async ({ params: { section, folder, file }, path }, deps) =>
    await fileOf(deps, `${section}/${folder}/${file}`, path),
});

/** Operations of the documentation site. Its files are at most three levels deep. */
export const guideOperations = [getGuide, getGuideFile, getGuidePage, getGuideChunk] satisfies readonly Operation[];
