import { html } from 'hono/html';
import { shellWord, signInLines, WITH_TOKEN } from './shell-word.ts';
import { paths } from '../wire/paths.ts';
import { type Html, languageIn, pageText, prefixOf, type Shell } from './layout.ts';
import { type Say, sayIn, type TextName } from './texts.ts';

/** Error as its page shows it. */
export interface ShownProblem {
  readonly shell: Shell;
  readonly status: number;
  /** Title of the status, in English. */
  readonly title: string;
  /** Message of the API, in English. */
  readonly message: string;
  readonly requestId: string;
  /** Public base address without trailing slash; '' if unknown. */
  readonly baseUrl: string;
  /** Requested path, without query. */
  readonly path: string;
  /** Address of the sign-in page, for GETs that accept a session; otherwise, and with `pages: 'off'`, undefined. */
  readonly signIn?: string | undefined;
  /** Name of the host's user, for an error about this user: the page says that the user has no active account here. */
  readonly userWithoutAccount?: string | undefined;
  /** True for the error page of a report. */
  readonly isReport?: boolean;
}

/** Page of an error: the message, and links to other pages. */
export function problemPage(problem: ShownProblem): string {
  const { shell, status, requestId, baseUrl } = problem;
  const say = sayIn(shell.language);
  const prefix = baseUrl === '' ? '' : prefixOf(baseUrl);
  const { title, description, content } = wordsOf(problem, say);
  const inLanguage = languageIn(shell.query);
  const link = (path: string, text: TextName): Html => html`<a href="${prefix}${path}${inLanguage}">${say(text)}</a>`;
  return pageText({
    title: `${status} ${title}`,
    description,
    prefix,
    body: html`<h1>${title}</h1>
      ${content}
      <p>
        ${say('goTo')}: ${link(paths.firstPage, 'firstPage')}, ${link(paths.catalog, 'catalogue')},
        ${link(paths.docs, 'reference')}.
      </p>
      <p class="foot">${say('requestIs', { status: String(status), id: requestId })}</p>`,
    ...shell,
  });
}

interface ProblemWords {
  readonly title: string;
  readonly description: string;
  readonly content: Html;
}

function wordsOf(problem: ShownProblem, say: Say): ProblemWords {
  const { shell, status, title, message, signIn, userWithoutAccount, isReport = false } = problem;
  if (userWithoutAccount !== undefined) {
    const text = say('noAccountHere', { name: userWithoutAccount });
    return { title: say('notAllowed'), description: text, content: html`<p class="lead">${text}</p>` };
  }
  if (status === 401) {
    const isForUsers = signIn !== undefined;
    const lead = isForUsers ? '' : html`<p class="lead" lang="en">${message}</p>`;
    const content = html`${lead} ${howToSignIn(problem, say)}`;
    return { title: say(isForUsers ? 'signInToOpen' : 'notSignedIn'), description: say('signInToOpen'), content };
  }
  if (!isReport && shell.language === 'en')
    return { title, description: message, content: html`<p class="lead">${message}</p>` };
  const [heading, lead] = leadOf(status, isReport);
  const content = html`<p class="lead">${say(lead)}</p>
    <p class="notice" lang="en">${message}</p>`;
  return { title: say(heading), description: say(lead), content };
}

function leadOf(status: number, isReport: boolean): readonly [heading: TextName, lead: TextName] {
  if (status === 404) return ['notFound', isReport ? 'notFoundLead' : 'missingPage'];
  if (status === 403) return ['notAllowed', 'notAllowedLead'];
  if (status === 503) return ['unavailable', 'failedLead'];
  if (status >= 500) return ['failed', 'failedLead'];
  return ['badRequest', isReport ? 'badRequestLead' : 'wrongRequest'];
}

function howToSignIn({ baseUrl, path, signIn }: ShownProblem, say: Say): Html {
  return html`${signIn === undefined ? '' : html`<p><a class="button" href="${signIn}">${say('signIn')}</a></p>`}
    <p>${say(signIn === undefined ? 'needsToken' : 'programsSendToken')} ${say('logInFromShell')}</p>
    <pre tabindex="0" aria-label="${say('logInCommands')}"><code>${signInLines(baseUrl)}

curl -sw '\\n' ${shellWord(baseUrl + path)} ${WITH_TOKEN}</code></pre>`;
}
