import { html } from 'hono/html';
import { shellWord } from './shell-word.ts';
import type { Language } from '../wire/languages.ts';
import { paths } from '../wire/paths.ts';
import { pageText, prefixOf, type Html } from './layout.ts';
import { sayIn } from './texts.ts';

/** A failure as a page tells it. */
export interface ShownProblem {
  /** HTTP status. */
  readonly status: number;
  /** What the status means. */
  readonly title: string;
  readonly message: string;
  readonly requestId: string;
  /** Absolute public address of the service, no trailing slash; '' where it is not known. */
  readonly baseUrl: string;
  /** What was asked for, without its query. */
  readonly path: string;
  /** Told in this one of the languages of reports; where it is not given, in English with all that we know. */
  readonly language?: Language;
}

/** The page of a failure: what happened, and where to go from here. */
export function problemPage(problem: ShownProblem): string {
  const { status, title, message, requestId, baseUrl, language } = problem;
  const prefix = baseUrl === '' ? '' : prefixOf(baseUrl);
  if (language !== undefined) return reportProblem({ ...problem, language }, prefix);
  return pageText({
    title: `${status} ${title}`,
    description: message,
    prefix,
    body: html`<h1>${title}</h1>
      <p class="lead">${message}</p>
      ${status === 401 ? howToSignIn(problem) : ''}
      <p>
        Go to the <a href="${prefix}/">first page</a>, the <a href="${prefix}${paths.catalog}">catalogue</a> or the
        <a href="${prefix}${paths.docs}">API reference</a>.
      </p>
      <p class="foot">Status ${status}, request ${requestId}</p>`,
  });
}

/** The words of our own in this language; what exactly is the matter is told as the interface words it. */
function reportProblem(
  { status, message, requestId, language }: ShownProblem & { readonly language: Language },
  prefix: string,
): string {
  const say = sayIn(language);
  const [title, lead] =
    status === 404
      ? (['notFound', 'notFoundLead'] as const)
      : status < 500
        ? (['badRequest', 'badRequestLead'] as const)
        : (['failed', 'failedLead'] as const);
  return pageText({
    title: `${status} ${say(title)}`,
    description: say(lead),
    prefix,
    language,
    body: html`<h1>${say(title)}</h1>
      <p class="lead">${say(lead)}</p>
      <p class="notice" lang="en">${message}</p>
      <p>
        ${say('goTo')}: <a href="${prefix}/">${say('firstPage')}</a>,
        <a href="${prefix}${paths.catalog}">${say('catalogue')}</a>.
      </p>
      <p class="foot">${say('requestIs', { status: String(status), id: requestId })}</p>`,
  });
}

/** Browsers send no token by themselves: what can be done in a shell instead. */
function howToSignIn({ baseUrl, path }: ShownProblem): Html {
  return html`<p>
      What stands here is shown to whoever it belongs to, and a browser sends no token by itself. Sign in from a shell,
      then ask with the token <code>access</code> that came back:
    </p>
    <pre
      tabindex="0"
      aria-label="Commands that sign in and ask again"
    ><code>curl -sw '\\n' ${shellWord(baseUrl + paths.login)} \\
  -H 'Content-Type: application/json' -d '{"username":"NAME","password":"PASSWORD"}'

curl -sw '\\n' ${shellWord(baseUrl + path)} -H 'Authorization: Bearer ACCESS'</code></pre>`;
}
