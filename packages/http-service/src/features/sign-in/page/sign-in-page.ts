import { html } from 'hono/html';
import { field, hidden, notices } from '../../../pages/form-parts.ts';
import { type Html, page } from '../../../pages/layout.ts';
import { inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';

/** Data of the sign-in page. */
export interface SignInFacts {
  readonly token: string;
  readonly next: string | undefined;
  readonly username: string;
  readonly problems: readonly string[];
  /** True if the password would be sent in plain text. */
  readonly isUnencrypted: boolean;
}

/** The page with the sign-in form. */
export function signInPage({ prefix, language, query, chosen, say }: Reader, facts: SignInFacts): Html {
  const { token, next, username, problems, isUnencrypted } = facts;
  const title = say('signIn');
  const more = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const lead = next === undefined || problems.length > 0 ? say('signInLead') : say('signInToContinue');
  const body = html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    ${notices(problems)} ${isUnencrypted ? html`<p class="notice">${say('notEncrypted')}</p>` : ''}
    <form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.signIn)}">
      ${hidden('token', token)} ${next === undefined ? '' : hidden('next', next)}
      ${field({ name: 'username', label: say('userName'), value: username, autocomplete: 'username', isRequired: true, most: 150 })}
      ${field({ name: 'password', label: say('password'), type: 'password', autocomplete: 'current-password', isRequired: true })}
      <p><button class="button" type="submit">${say('signIn')}</button></p>
    </form>
    <p>
      ${say('noAccountYet')}
      <a href="${inChosen({ chosen }, prefix + paths.registerPage + more)}">${say('registerHere')}</a><br />
      <a href="${inChosen({ chosen }, prefix + paths.forgotPage)}">${say('forgotIt')}</a>
    </p>`;
  return page({ title, description: say('signInLead'), prefix, body, language, query, chosen });
}

/** The page that asks if the user wants to sign out. `token`: secret of its form. */
export function signOutPage({ prefix, language, query, chosen, say, account }: Reader, token: string): Html {
  const title = say('signOut');
  const body = html`<h1>${say('askSignOut')}</h1>
    <p class="lead">${say('signedInAs')} <strong>${account?.name ?? ''}</strong></p>
    <form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.signOut)}">
      ${hidden('token', token)}
      <p><button class="button" type="submit">${title}</button></p>
    </form>
    <p><a href="${inChosen({ chosen }, prefix + paths.dashboard)}">${say('toDashboard')}</a></p>`;
  return page({ title, description: title, prefix, body, language, query, chosen, account });
}

/** The page of a visitor who is signed out. */
export function signedOutPage({ prefix, language, query, chosen, say, account }: Reader): Html {
  const title = say('signedOut');
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('signedOutLead')}</p>
    <ul class="buttons">
      <li><a class="button" href="${inChosen({ chosen }, prefix + paths.signIn)}">${say('signIn')}</a></li>
      <li><a class="button plainer" href="${prefix}/">${say('firstPage')}</a></li>
    </ul>`;
  return page({ title, description: title, prefix, body, language, query, chosen, account });
}

/** The page of a refused form. `sentence`: the reason; `back`: the page of the form. */
export function refusedFormPage(
  reader: Reader,
  { sentence, back }: { readonly sentence: string; readonly back: string },
): Html {
  const { prefix, language, query, chosen, say, account } = reader;
  const title = say('refusedForm');
  const body = html`<h1>${title}</h1>
    ${notices([sentence])}
    <p><a href="${back}">${say('backToForm')}</a></p>`;
  return page({ title, description: sentence, prefix, body, language, query, chosen, account });
}
