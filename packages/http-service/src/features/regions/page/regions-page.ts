import { html } from 'hono/html';
import { type Account, foot, page, prefixOf, type Html } from '../../../pages/layout.ts';
import { copyText, crumbs, pager } from '../../../pages/parts.ts';
import { publicationCards } from '../../../pages/publication-cards.ts';
import { shellWord } from '../../../pages/shell-word.ts';
import type { ListedPublications } from '../../../items/publications.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Data of the page of regions. */
export interface RegionsPageFacts extends ListedPublications {
  /** Link of the shell to the pages of the reader. */
  readonly account?: Account | undefined;
  readonly baseUrl: string;
  readonly version: string;
  /** Number of this page of the list, from 1. */
  readonly number: number;
  /** Number of days from a region's last publication until its removal; null: regions are not removed. */
  readonly keptDays: number | null;
}

const TITLE = 'Regions';

/** Page of the regions, newest first. */
export function regionsPage(facts: RegionsPageFacts): Html {
  const { baseUrl, version, number, keptDays, pages, credits, account } = facts;
  const prefix = prefixOf(baseUrl);
  const body = html`${crumbs([{ title: 'Start', href: `${prefix}${paths.firstPage}` }], TITLE)}
    <h1>${TITLE}</h1>
    <p class="lead">
      Boxes that callers of the work service computed. They belong to no tehsil, and this service has not checked who
      asked for them. ${lifetime(keptDays)}
    </p>
    ${list(facts)} ${pager(pages, ['Newest', 'Older'])} ${facts.publications.length === 0 ? '' : howToRemove(baseUrl)}
    ${foot(version, credits)}`;
  const title = number > 1 ? `${TITLE}, page ${number}` : TITLE;
  return page({
    title,
    description: 'Regions computed by the work service.',
    prefix,
    body,
    script: true,
    account,
  });
}

/** The command that removes a region. */
function howToRemove(baseUrl: string): Html {
  const remove = `curl -sw '\\n' -X DELETE ${shellWord(baseUrl + fill(paths.region, { id: 'REGION' }))} \\
  -H "Authorization: Bearer \${TOKEN:?sign in first}"`;
  return html`<h2>Remove a region</h2>
    <p>
      A superuser removes a region with its Items and files at once. Replace <code>REGION</code> by its name, such as
      <code>region_0123456789abcdef</code>; <code>TOKEN</code> is the token of a sign-in.
    </p>
    ${copyText(remove, 'the command that removes a region')}`;
}

function lifetime(days: number | null): string {
  if (days === null) return 'They stay until a superuser removes them.';
  return `Each is removed ${days === 1 ? 'a day' : `${days} days`} after its last computation.`;
}

function list({ publications, pages }: RegionsPageFacts): Html {
  if (publications.length > 0)
    return html`<h2>Newest first</h2>
      ${publicationCards(publications)}`;
  return html`<p class="empty">There are no regions${pages.newer === undefined ? '' : ' before this'}.</p>`;
}
