import { html } from 'hono/html';
import { type Field, field, notices } from '../../../pages/form-parts.ts';
import { type Html, page, prefixOf, type Shell } from '../../../pages/layout.ts';
import { sayIn, sentenceIn } from '../../../pages/texts.ts';

/**
 * Page with the form that sets a new password. The form needs no script. `problems`: sentences about the last attempt.
 */
export function passwordForm(
  baseUrl: string,
  shell: Shell,
  problems: Readonly<Record<string, readonly string[]>> = {},
): Html {
  const say = sayIn(shell.language);
  const title = say('setNewPassword');
  const secret = (name: string, label: string): Field => ({
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    problems: (problems[name] ?? []).map((each) => sentenceIn(each, shell.language)),
  });
  const fields = [
    { ...secret('new_password', say('newPassword')), hint: say('passwordHint') },
    secret('confirm_password', say('repeatNewPassword')),
  ];
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('allEnds')}</p>
    ${Object.keys(problems).length === 0 ? '' : notices([say('correctFields')], fields)}
    <form class="form" method="post">
      ${fields.map(field)}
      <p><button class="button" type="submit">${say('setPassword')}</button></p>
    </form>`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body, ...shell });
}

/** Page that confirms the new password. `signInAddress` is undefined without a sign-in page. */
export function passwordIsSet(baseUrl: string, shell: Shell, signInAddress: string | undefined): Html {
  const say = sayIn(shell.language);
  const title = say('passwordIsSet');
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('allHasEnded')}</p>
    ${signInAddress === undefined ? '' : html`<p><a class="button" href="${signInAddress}">${say('signIn')}</a></p>`}`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body, ...shell });
}
