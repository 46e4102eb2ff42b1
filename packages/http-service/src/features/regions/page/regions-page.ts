import { html } from 'hono/html';
import { foot, page, prefixOf, type Html, type Shell } from '../../../pages/layout.ts';
import { copyText, crumbs, pager } from '../../../pages/parts.ts';
import { publicationCards } from '../../../pages/publication-cards.ts';
import { CONTINUED, shellWord, WITH_TOKEN } from '../../../pages/shell-word.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import type { ListedPublications } from '../../../items/publications.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Data of the page of regions. */
export interface RegionsPageFacts extends ListedPublications {
  readonly shell: Shell;
  readonly baseUrl: string;
  readonly version: string;
  readonly number: number;
  /** Days from a region's last publication until its removal; null: never. */
  readonly keptDays: number | null;
}

/** Page of the regions, newest first. */
export function regionsPage(facts: RegionsPageFacts): Html {
  const { baseUrl, version, number, keptDays, pages, credits, shell } = facts;
  const say = sayIn(shell.language);
  const heading = say('regions');
  const prefix = prefixOf(baseUrl);
  const body = html`${crumbs([{ title: say('firstPage'), href: `${prefix}${paths.firstPage}` }], heading, say('breadcrumb'))}
    <h1>${heading}</h1>
    <p class="lead">${say('regionsLead')} ${lifetime(keptDays, say)}</p>
    ${list(facts, say)} ${pager(pages, [say('newestPage'), say('olderPage')], say('pages'))}
    ${facts.publications.length === 0 ? '' : howToRemove(baseUrl, say)} ${foot(version, credits)}`;
  const title = number > 1 ? say('pageNumber', { title: heading, number: String(number) }) : heading;
  return page({ title, description: say('regionsDescription'), prefix, body, script: true, ...shell });
}

function howToRemove(baseUrl: string, say: Say): Html {
  const at = shellWord(baseUrl + fill(paths.region, { id: 'REGION' }));
  const remove = [`curl -sw '\\n' -X DELETE ${at}`, WITH_TOKEN].join(CONTINUED);
  return html`<h2>${say('removeRegion')}</h2>
    <p>${say('removeRegionText')}</p>
    ${copyText(remove, say('removeCommand'))}`;
}

function lifetime(days: number | null, say: Say): string {
  if (days === null) return say('regionsStay');
  return days === 1 ? say('removedAfterDay') : say('removedAfterDays', { days: String(days) });
}

function list({ publications, pages, shell }: RegionsPageFacts, say: Say): Html {
  if (publications.length > 0)
    return html`<h2>${say('newestFirst')}</h2>
      ${publicationCards(publications, shell.language)}`;
  return html`<p class="empty">${say(pages.newer === undefined ? 'noRegions' : 'noRegionsBefore')}</p>`;
}
