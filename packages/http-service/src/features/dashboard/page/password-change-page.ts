import { html } from 'hono/html';
import { type Field, field, hidden, notices } from '../../../pages/form-parts.ts';
import { type Html, page } from '../../../pages/layout.ts';
import { inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';

/** Data of the page on which users change their own password. */
export interface PasswordChangeFacts {
  readonly token: string;
  /** True if the user must change the password before using other pages. */
  readonly isRequired: boolean;
  readonly problems: readonly string[];
  readonly fieldProblems: Readonly<Record<string, readonly string[]>>;
}

/** The page on which users change their own password. */
export function passwordChangePage(
  { prefix, language, query, chosen, say, account }: Reader,
  shown: PasswordChangeFacts,
): Html {
  const { token, isRequired, problems, fieldProblems } = shown;
  const title = say('changePassword');
  const secret = (name: string, label: string, autocomplete = 'new-password'): Field => ({
    name,
    label,
    type: 'password',
    autocomplete,
    isRequired: true,
    problems: fieldProblems[name] ?? [],
  });
  const fields = [
    secret('old_password', say('presentPassword'), 'current-password'),
    { ...secret('new_password', say('newPassword')), hint: say('passwordHint') },
    secret('confirm_password', say('repeatNewPassword')),
  ];
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('changePasswordLead')}</p>
    ${isRequired ? html`<p class="notice">${say('mustChangePassword')}</p>` : ''} ${notices(problems, fields)}
    <form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.dashboardPassword)}">
      ${hidden('token', token)} ${fields.map(field)}
      <p><button class="button" type="submit">${say('setPassword')}</button></p>
    </form>`;
  return page({ title, description: title, prefix, body, language, query, chosen, account });
}
