import { html } from 'hono/html';
import { pageReply } from '../../../answering/page-or-document.ts';
import { type Html, page, PAGE_HEADERS, prefixOf, type Shell } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { paths } from '../../../wire/paths.ts';
import { type PreparedOptions, prepared } from '../../../caching/prepared.ts';
import type { ApiViewer, ViewerReplies } from '../../../seam/viewers.ts';
import type { Reply } from '../../../seam/reply.ts';

/** The page has its own content security policy, because viewers need inline styles and `data:` pictures. */
const HEADERS = {
  ...PAGE_HEADERS,
  vary: 'Accept-Language',
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
export function viewerReplies(
  viewer: ApiViewer,
  { baseUrl, hasGuide }: { readonly baseUrl: string; readonly hasGuide: boolean },
): ViewerReplies {
  const files: Readonly<Record<string, [read: () => Promise<Uint8Array>, type: string]>> = {
    'viewer.js': [viewer.script, 'text/javascript; charset=utf-8'],
    'viewer.css': [viewer.style, 'text/css; charset=utf-8'],
  };
  const cached = new Map<string, Promise<Reply>>();
  return {
    page: (shell) =>
      pageReply(
        viewerPage(guideLine(hasGuide, { prefix: prefixOf(baseUrl), shell }), { prefix: prefixOf(baseUrl), shell }),
        shell,
        HEADERS,
      ),
    file: async (name) => {
      const [read, type] = Object.hasOwn(files, name) ? (files[name] ?? []) : [];
      if (read === undefined || type === undefined) return undefined;
      const reply = cached.get(name) ?? replyOf(read, { type });
      cached.set(name, reply);
      // After a failure, the next request reads the file again.
      reply.catch(() => cached.delete(name));
      return await reply;
    },
  };
}

async function replyOf(read: () => Promise<Uint8Array>, options: PreparedOptions): Promise<Reply> {
  return prepared(await read(), options);
}

/** Link to the documentation site. Empty if there is no site. */
export function guideLine(hasGuide: boolean, { prefix, shell }: ShownAt): Html | '' {
  if (!hasGuide) return '';
  return html`<p><a href="${prefix}${paths.guide}">${sayIn(shell.language)('guideLink')}</a></p>`;
}

interface ShownAt {
  readonly prefix: string;
  readonly shell: Shell;
}

function viewerPage(guide: Html | '', { prefix, shell }: ShownAt): Html {
  const say = sayIn(shell.language);
  const fileAt = (name: string): string => prefix + paths.docsFile.replace(':file', name);
  return page({
    title: say('referenceForms'),
    description: say('referenceDescription'),
    prefix,
    ...shell,
    body: html`<h1>${say('reference')}</h1>
      ${shell.language === 'en' ? '' : html`<p>${say('inEnglishOnly')}</p>`} ${guide}
      <p class="lead" lang="en">
        Choose an operation and <em>Try it out</em>. Operations with a lock need a token or an API key: enter it under
        <em>Authorize</em>. The <a href="${prefix}${paths.plainDocs}">plain reference</a> has the same operations with
        commands to copy, and needs no JavaScript. Programs read
        <a href="${prefix}${paths.openApi}">the OpenAPI document</a>.
      </p>
      <noscript>
        <p lang="en">
          The forms need JavaScript. Read the <a href="${prefix}${paths.plainDocs}">plain reference</a> instead.
        </p>
      </noscript>
      <link rel="stylesheet" href="${fileAt('viewer.css')}" />
      <div id="api-viewer" lang="en" data-document="${prefix}${paths.openApi}" data-prefix="${prefix}/"></div>
      <script defer src="${fileAt('viewer.js')}"></script>`,
  });
}
