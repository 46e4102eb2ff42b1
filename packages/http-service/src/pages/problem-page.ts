import { html } from 'hono/html';
import { shellWord, signInLines, WITH_TOKEN } from './shell-word.ts';
import type { Language } from '../wire/words.ts';
import { paths } from '../wire/paths.ts';
import { pageText, prefixOf, type Html } from './layout.ts';
import { sayIn } from './texts.ts';

/** An error as its page shows it. */
export interface ShownProblem {
  /** HTTP status. */
  readonly status: number;
  /** Title of the status. */
  readonly title: string;
  readonly message: string;
  readonly requestId: string;
  /** Absolute public address of the service, no trailing slash; '' if unknown. */
  readonly baseUrl: string;
  /** Requested path, without its query. */
  readonly path: string;
  /** Address of the sign-in page, if the browser's session opens the page. */
  readonly signIn?: string | undefined;
  /** Language of a report's error page; without it, the page is in English with all details. */
  readonly language?: Language;
}

/** The page of an error: the message, and links to other pages. */
export function problemPage(problem: ShownProblem): string {
  const { status, title, message, requestId, baseUrl, language } = problem;
  const prefix = baseUrl === '' ? '' : prefixOf(baseUrl);
  const isForUsers = status === 401 && problem.signIn !== undefined;
  if (language !== undefined) return reportProblem({ ...problem, language }, prefix);
  return pageText({
    title: `${status} ${title}`,
    description: message,
    prefix,
    body: html`<h1>${isForUsers ? 'Sign in to open this page' : title}</h1>
      ${isForUsers ? '' : html`<p class="lead">${message}</p>`} ${status === 401 ? howToSignIn(problem) : ''}
      <p>
        Go to the <a href="${prefix}/">first page</a>, the <a href="${prefix}${paths.catalog}">catalogue</a> or the
        <a href="${prefix}${paths.docs}">API reference</a>.
      </p>
      <p class="foot">Status ${status}, request ${requestId}</p>`,
  });
}

/** The error page of a report: our texts in this language, the error message in English as in the API. */
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

/** The way to the sign-in page, if there is one, and shell commands for a page that needs a token. */
function howToSignIn({ baseUrl, path, signIn }: ShownProblem): Html {
  return html`${signIn === undefined ? '' : html`<p><a class="button" href="${signIn}">Sign in</a></p>`}
    <p>
      ${signIn === undefined ? 'This page needs a token, which a browser does not send.' : 'Programs send a token.'} Log
      in from a shell, which stores the token in <code>TOKEN</code>, then send the request with it:
    </p>
    <pre tabindex="0" aria-label="Commands that log in and repeat the request"><code>${signInLines(baseUrl)}

curl -sw '\\n' ${shellWord(baseUrl + path)} ${WITH_TOKEN}</code></pre>`;
}
