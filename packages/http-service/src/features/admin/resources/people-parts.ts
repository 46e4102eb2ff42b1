import { invalidField } from '@headwater/core';
import type { ListedMember, User } from '@headwater/identity';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { Html } from '../../../pages/layout.ts';
import { momentText } from '../../../pages/words.ts';
import { adminHref, textFor } from '../page/admin-parts.ts';
import { localText } from '../../../pages/texts.ts';
import type {
  AdminAction,
  AdminCaller,
  AdminField,
  AdminTexts,
  AdminValue,
  LocalText,
} from '../../../seam/admin-resource.ts';

/** A time as people read it; null if there is none. */
export function moment(instant: string | null, { language }: Pick<AdminCaller, 'language'>): AdminValue {
  return instant === null ? null : momentText(instant, language);
}

/** A user with a link to the user's page. */
export function userLink({ userId, username }: Pick<ListedMember, 'userId' | 'username'>): AdminValue {
  return { text: username, href: `/admin/users/${userId}/` };
}

/** Id of a row as a number; undefined for a text that is not a positive integer. */
export function numberOf(id: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : undefined;
}

/** Field for the name of an existing user. */
export const USERNAME: AdminField = {
  name: 'username',
  label: localText('userName'),
  hint: localText('nameOfAnExistingUser'),
  isRequired: true,
  most: 150,
};

/** The user with the typed name. Throws `validation` (field `username`) if there is none. */
export async function namedUser(deps: Ports<'stores'>, { username = '' }: AdminTexts): Promise<User> {
  return await userOfField(deps, 'username', username);
}

/** The user with the name that was typed in `field`. Throws `validation` for this field if there is none. */
export async function userOfField({ stores }: Ports<'stores'>, field: string, username: string): Promise<User> {
  const user = username === '' ? undefined : await stores.users.byUsername(username);
  if (user === undefined)
    throw invalidField(field, 'is not the name of a user; the list of users has all names.', 'unknown');
  return user;
}

/** Id of the organisation with this name; null for ''. Throws `validation` for an unknown name. */
export async function organizationNamed({ stores }: Ports<'stores'>, name: string): Promise<string | null> {
  if (name === '') return null;
  const [known] = (await stores.directory.organizations({ name, limit: 1, offset: 0 })).rows;
  if (known !== undefined) return known.id;
  throw invalidField(
    'organization',
    'is not the name of an organisation; add the organisation first, or leave this field empty.',
  );
}

/** Action that removes a member. `remove` returns false if the user is not a member. */
export function removeMemberAction(
  deps: Ports<'stores'>,
  remove: (user: User, id: string, caller: AdminCaller) => Promise<boolean>,
): AdminAction {
  return {
    name: 'remove-member',
    label: localText('removeAMember'),
    fields: [USERNAME],
    run: async (id, caller, texts) => {
      if (await remove(await namedUser(deps, texts), id, caller)) return {};
      throw invalidField('username', 'is not a member; the list of members is on the page of the entry.', 'unknown');
    },
  };
}

/** Maximum number of people or projects in one list of a page. */
export const SHOWN_MEMBERS = 100;

/** Heading of a list of people, and its first rows. */
export interface MembersShown {
  readonly heading: LocalText;
  readonly none: LocalText;
  readonly rows: readonly ListedMember[];
  readonly total: number;
  /** Resource with a page for each person; default: `users`. */
  readonly resource?: 'users' | 'join-requests';
}

const WORDS = {
  user: localText('userName'),
  name: localText('name'),
  role: localText('role'),
  active: localText('active'),
  yes: localText('adminYes'),
  no: localText('adminNo'),
} satisfies Record<string, LocalText>;

/** A table of `rows`. Its heading has the number of all people, `total`. */
export function membersPart(caller: AdminCaller, shown: MembersShown): Html {
  const { heading, none, rows, total, resource = 'users' } = shown;
  const say = (word: keyof typeof WORDS): string => textFor(caller, WORDS[word]);
  const title = textFor(caller, heading);
  if (rows.length === 0)
    return html`<h2>${title}</h2>
      <p class="empty">${textFor(caller, none)}</p>`;
  const hasRoles = rows.some(({ member }) => member !== null);
  return html`<h2>${title} (${total})</h2>
    ${total > rows.length ? html`<p class="soft">${textFor(caller, firstOf(rows.length, total))}</p>` : ''}
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('user')}</th>
            <th scope="col">${say('name')}</th>
            ${hasRoles ? html`<th scope="col">${say('role')}</th>` : ''}
            <th scope="col">${say('active')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ userId, username, firstName, lastName, isActive, member }) =>
              html`<tr>
                <td><a href="${adminHref(caller, resource, String(userId))}">${username}</a></td>
                <td>${`${firstName} ${lastName}`.trim()}</td>
                ${hasRoles ? html`<td>${member?.group.name ?? ''}</td>` : ''}
                <td>${say(isActive ? 'yes' : 'no')}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function firstOf(shown: number, total: number): LocalText {
  return localText('theFirstOf', { shown, total });
}
