import { html } from 'hono/html';
import { type Html, page, prefixOf, type Shell } from '../../../pages/layout.ts';
import { sayIn, sentenceIn } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';

/** Page with the form that sets a new password; works without script. `problems`: sentences of the API about the last attempt. */
export function passwordForm(baseUrl: string, shell: Shell, problems: readonly string[] = []): Html {
  const say = sayIn(shell.language);
  const title = say('setNewPassword');
  const body = html`<h1>${title}</h1>
    ${problems.map((problem) => problemNotice(problem, shell.language))}
    <p>${say('allEnds')}</p>
    <form method="post">
      <p><label for="new_password">${say('newPasswordOf8')}</label></p>
      <p><input id="new_password" name="new_password" type="password" autocomplete="new-password" required /></p>
      <p><label for="confirm_password">${say('repeatNewPassword')}</label></p>
      <p>
        <input id="confirm_password" name="confirm_password" type="password" autocomplete="new-password" required />
      </p>
      <p><button type="submit">${say('setPassword')}</button></p>
    </form>`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body, ...shell });
}

function problemNotice(problem: string, language: Language): Html {
  const own = sentenceIn(problem, language);
  return html`<p class="notice" role="alert" lang="${own === problem ? 'en' : language}">${own}</p> `;
}

/** Page that confirms the new password. `signInAddress`: undefined if the service has no sign-in page. */
export function passwordIsSet(baseUrl: string, shell: Shell, signInAddress: string | undefined): Html {
  const say = sayIn(shell.language);
  const title = say('passwordIsSet');
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('allHasEnded')}</p>
    ${signInAddress === undefined ? '' : html`<p><a class="button" href="${signInAddress}">${say('signIn')}</a></p>`}`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body, ...shell });
}
