import { html } from 'hono/html';
import { type Html, page, prefixOf } from '../../../pages/layout.ts';

/** Page with the form that sets a new password; works without script. `problems`: errors of the last attempt. */
export function passwordForm(baseUrl: string, problems: readonly string[] = []): Html {
  const title = 'Set a new password';
  const body = html`<h1>${title}</h1>
    ${problems.map((problem) => html`<p class="notice" role="alert">${problem}</p> `)}
    <p>Every session and every API key of the account ends when you set a new password.</p>
    <form method="post">
      <p><label for="new_password">New password, at least 8 characters</label></p>
      <p><input id="new_password" name="new_password" type="password" autocomplete="new-password" required /></p>
      <p><label for="confirm_password">Repeat the new password</label></p>
      <p>
        <input id="confirm_password" name="confirm_password" type="password" autocomplete="new-password" required />
      </p>
      <p><button type="submit">Set the password</button></p>
    </form>`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body });
}

/** Page that confirms the new password. `signInAddress`: undefined if the service has no sign-in page. */
export function passwordIsSet(baseUrl: string, signInAddress: string | undefined): Html {
  const title = 'The password is set';
  const body = html`<h1>${title}</h1>
    <p class="lead">
      Every session and every API key has ended; sign in with the new password. The link does not work a second time.
    </p>
    ${signInAddress === undefined ? '' : html`<p><a class="button" href="${signInAddress}">Sign in</a></p>`}`;
  return page({ title, description: title, prefix: prefixOf(baseUrl), body });
}
