import { html } from 'hono/html';
import { PAGE_HEADERS, pageText, prefixOf } from '../../../pages/layout.ts';
import { paths } from '../../../wire/paths.ts';
import { type PreparedOptions, prepared } from '../../../caching/prepared.ts';
import type { ApiViewer, ViewerReplies } from '../../../seam/viewers.ts';
import type { Reply } from '../../../seam/reply.ts';

/** Viewers write inline styles and draw data: pictures, so the page has a policy of its own. Scripts come from this origin only. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** Creates the replies of a viewer; the files are read on first use. */
export function viewerReplies(viewer: ApiViewer, baseUrl: string): ViewerReplies {
  const files: Readonly<Record<string, [read: () => Promise<Uint8Array>, type: string]>> = {
    'viewer.js': [viewer.script, 'text/javascript; charset=utf-8'],
    'viewer.css': [viewer.style, 'text/css; charset=utf-8'],
  };
  const cached = new Map<string, Promise<Reply>>();
  return {
    page: prepared(viewerPage(prefixOf(baseUrl)), { type: 'text/html; charset=utf-8', headers: HEADERS }),
    file: async (name) => {
      const [read, type] = Object.hasOwn(files, name) ? (files[name] ?? []) : [];
      if (read === undefined || type === undefined) return undefined;
      const reply = cached.get(name) ?? replyOf(read, { type });
      cached.set(name, reply);
      // A file that could not be read is read again by the next request.
      reply.catch(() => cached.delete(name));
      return await reply;
    },
  };
}

async function replyOf(read: () => Promise<Uint8Array>, options: PreparedOptions): Promise<Reply> {
  return prepared(await read(), options);
}

function viewerPage(prefix: string): string {
  const fileAt = (name: string): string => prefix + paths.docsFile.replace(':file', name);
  return pageText({
    title: 'API reference with forms to send requests: Headwater',
    description: 'Operations of the Headwater API, with forms that send requests.',
    prefix,
    body: html`<h1>API reference</h1>
      <p class="lead">
        Choose an operation and <em>Try it out</em>. Operations with a lock need a token or an API key: enter it under
        <em>Authorize</em>. The <a href="${prefix}${paths.plainDocs}">plain reference</a> has the same operations with
        commands to copy, and needs no JavaScript. Programs read
        <a href="${prefix}${paths.openApi}">the OpenAPI document</a>.
      </p>
      <noscript>
        <p>The forms need JavaScript. Read the <a href="${prefix}${paths.plainDocs}">plain reference</a> instead.</p>
      </noscript>
      <link rel="stylesheet" href="${fileAt('viewer.css')}" />
      <div id="api-viewer" data-document="${prefix}${paths.openApi}" data-prefix="${prefix}/"></div>
      <script defer src="${fileAt('viewer.js')}"></script>`,
  });
}
