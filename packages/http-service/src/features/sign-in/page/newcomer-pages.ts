import { html } from 'hono/html';
import { type Field, field, hidden, notices } from '../../../pages/form-parts.ts';
import { type Html, page } from '../../../pages/layout.ts';
import type { Say } from '../../../pages/texts.ts';
import { inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';

/** Texts that the user typed into the registration form, by field name, without passwords. */
export type RegisterValues = Readonly<
  Record<'username' | 'email' | 'first_name' | 'last_name' | 'organization', string>
>;

/** Data of the registration page. */
export interface RegisterFacts {
  readonly token: string;
  readonly next: string | undefined;
  readonly values: RegisterValues;
  readonly problems: readonly string[];
  readonly fieldProblems: Readonly<Record<string, readonly string[]>>;
  /** Suggested names of organisations; undefined if registration is off. */
  readonly organizations: readonly string[] | undefined;
}

function fieldsOf(say: Say, { values, fieldProblems, organizations = [] }: RegisterFacts): readonly Field[] {
  const password = { type: 'password', autocomplete: 'new-password', isRequired: true } as const;
  const texts = new Map(Object.entries(values));
  const fields: readonly Field[] = [
    {
      name: 'username',
      label: say('userName'),
      hint: say('userNameHint'),
      autocomplete: 'username',
      isRequired: true,
      most: 150,
    },
    {
      name: 'email',
      label: say('email'),
      hint: say('emailHint'),
      type: 'email',
      autocomplete: 'email',
      isRequired: true,
      most: 254,
    },
    { name: 'password', label: say('password'), hint: say('passwordHint'), ...password },
    { name: 'password_confirm', label: say('repeatPassword'), ...password },
    { name: 'first_name', label: say('firstName'), autocomplete: 'given-name', most: 150 },
    { name: 'last_name', label: say('lastName'), autocomplete: 'family-name', most: 150 },
    {
      name: 'organization',
      label: say('organization'),
      hint: say('organizationHint'),
      autocomplete: 'organization',
      most: 150,
      suggestions: organizations,
    },
  ];
  return fields.map((each) => ({
    ...each,
    value: texts.get(each.name) ?? '',
    problems: fieldProblems[each.name] ?? [],
  }));
}

/** The page with the registration form. */
export function registerPage({ prefix, language, query, chosen, say }: Reader, facts: RegisterFacts): Html {
  const { token, next, problems, organizations } = facts;
  const fields = fieldsOf(say, facts);
  const title = say('register');
  const form = html`<form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.registerPage)}">
    ${hidden('token', token)} ${next === undefined ? '' : hidden('next', next)} ${fields.map(field)}
    <p><button class="button" type="submit">${say('makeAccount')}</button></p>
  </form>`;
  const body = html`<h1>${title}</h1>
    <p class="lead">${say('registerLead')}</p>
    ${notices(problems, fields)}
    ${organizations === undefined ? html`<p class="empty">${say('registrationOff')}</p>` : form}
    <p>${say('hasAccount')} <a href="${inChosen({ chosen }, prefix + paths.signIn)}">${say('signIn')}</a></p>`;
  return page({ title, description: say('registerLead'), prefix, body, language, query, chosen });
}

/** Data of the page for a forgotten password. */
export interface ForgotFacts {
  readonly token: string;
  readonly username: string;
  readonly problems: readonly string[];
  readonly isSent: boolean;
  /** False if the service sends no mail. */
  readonly sendsMail: boolean;
}

/** The page that sends a link for a new password. */
export function forgotPage({ prefix, language, query, chosen, say }: Reader, facts: ForgotFacts): Html {
  const { token, username, problems, isSent, sendsMail } = facts;
  const title = say('forgotIt');
  const name = { name: 'username', label: say('userName'), value: username, autocomplete: 'username', most: 150 };
  const form = html`<p class="lead">${say('forgotLead')}</p>
    ${notices(problems)}
    <form class="form" method="post" action="${inChosen({ chosen }, prefix + paths.forgotPage)}">
      ${hidden('token', token)} ${field({ ...name, isRequired: true })}
      <p><button class="button" type="submit">${say('sendLink')}</button></p>
    </form>`;
  const body = html`<h1>${title}</h1>
    ${isSent ? html`<p class="lead" role="status">${say('linkSent')}</p>` : sendsMail ? form : html`<p class="lead">${say('forgotNoMail')}</p>`}
    <p><a href="${inChosen({ chosen }, prefix + paths.signIn)}">${say('signIn')}</a></p>`;
  return page({ title, description: say('forgotLead'), prefix, body, language, query, chosen });
}
