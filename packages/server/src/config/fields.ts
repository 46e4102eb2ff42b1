import { passwordProblems } from '@headwater/identity';
import { originOf } from '@headwater/net';
import { z } from 'zod';

/** A whole number within these bounds, both included. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));
/** An address of the web as it is written. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'expected an address that starts with http:// or https://',
});
/** The same without slashes at its end. */
export const httpUrl = webAddress.transform((url) => url.replace(/\/+$/, ''));
/** An IP address, or a range of them. */
export const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'expected addresses or ranges such as 10.0.0.1,10.1.0.0/16',
});
/** An origin that scenes and catalogues are asked at. */
export const sceneOrigin = z.string().refine((text) => originOf(text) !== undefined, {
  error: 'expected origins (scheme, host and port only) such as http://10.0.0.5:8080,https://scenes.example.org',
});
/** Comma-separated texts; not set = none. */
export const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item))
    .default([]);
/** Ends up in every link that is handed out: a query would break them, a password in it would be told to everybody. */
export const publicUrl = httpUrl.refine((text) => {
  const { search, hash, username, password } = new URL(text);
  return `${search}${hash}${username}${password}` === '';
}, 'expected scheme, host and path only, such as https://example.org/geo');
/** Who may run the workflow by itself. */
export const workflowAccess = z.enum(['public', 'bearer', 'session'], {
  error: 'expected public, bearer (accounts that may compute) or session (whoever is signed in)',
});
/** Id of a workflow, as an address can carry it. */
export const dagId = z
  .string()
  .regex(/^(?!\.{1,2}$)[\w.-]{1,250}$/, 'expected letters, digits, dots, dashes and underscores, at most 250');
/** A SHA-256 as `sha256sum` writes it. */
export const sha256Text = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'expected 64 hexadecimal digits, as sha256sum writes them')
  .toLowerCase();
/** A switch. */
export const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'expected on or off' })
  .transform((text) => text === 'on' || text === 'true' || text === '1');
/** Path of a folder. */
export const folder = z
  .string()
  .refine(
    (path) => !path.startsWith('~'),
    "~ is a shell's word for the home folder and is not read here; give the whole path",
  );
/** A text that signs: nobody may guess it. */
export const secret = z
  .string()
  .min(32, 'expected at least 32 characters')
  .refine((text) => new Set(text).size > 1, 'expected random text, not one character again and again');
/** The superuser's name is drawn at the first start; any such name is as near to a password as this one. */
const SUPERUSER = { username: 'test_user_0000' };
/** A password that the rules for accounts take. */
export const superuserPassword = z.string().check(({ value, issues }) => {
  for (const { message } of passwordProblems(value, SUPERUSER)) issues.push({ code: 'custom', input: value, message });
});
/** A mail server, its user and password in the address: no message repeats it. */
export const smtpUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== '';
}, 'expected smtp://user:password@host:587 or smtps://user:password@host');
/** An address that mails come from, with a name or without. */
export const mailAddress = z
  .string()
  .regex(
    /^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u,
    'expected service@example.org or Name <service@example.org>',
  );
