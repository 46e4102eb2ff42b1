import { passwordProblems } from '@headwater/identity';
import { originOf } from '@headwater/net';
import { z } from 'zod';

/** Integer from `min` to `max`, both included. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));
/** Decimal number above 0, at most `max`. */
export const positive = (max: number) =>
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/, `expected a number above 0, at most ${max}`)
    .transform(Number)
    .pipe(z.number().positive('expected a number above 0').max(max, `expected at most ${max}`));
/** Number of whole days after which data are removed; 0 and `off`: never. */
export const daysUntilRemoval = z
  .string()
  .regex(/^(?:\d+|off)$/, 'expected a whole number of days from 0 to 36500, or off')
  .transform((text) => (text === 'off' ? 0 : Number(text)))
  .pipe(z.int().max(36_500, 'expected at most 36500'));
/** Web address, unchanged. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'expected an address that starts with http:// or https://',
});
/** Web address without trailing slashes. */
export const httpUrl = webAddress.transform((url) => url.replace(/\/+$/, ''));
/** IP address, or range of IP addresses. */
export const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'expected addresses or ranges such as 10.0.0.1,10.1.0.0/16',
});
/** Origin (scheme, host and port) of scenes and catalogues. */
export const sceneOrigin = z.string().refine((text) => originOf(text) !== undefined, {
  error: 'expected origins (scheme, host and port only) such as http://10.0.0.5:8080,https://scenes.example.org',
});
/** List of texts, separated by commas; empty if the variable is not set. */
export const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item))
    .default([]);
/** Base of links and request addresses. A query would break them, and a password would become public. */
export const publicUrl = httpUrl.refine((text) => {
  const { search, hash, username, password } = new URL(text);
  return `${search}${hash}${username}${password}` === '';
}, 'expected scheme, host and path only, such as https://example.org/geo');
/** Callers who may start a workflow of the orchestrator directly. */
export const workflowAccess = z.enum(['private', 'public', 'bearer', 'session'], {
  error:
    'expected private (private addresses and signed-in users), public, bearer (accounts that may compute) or session (any account that is logged in)',
});
/** Name of a member of `conf`, the input of a workflow run. */
export const memberName = z.string().regex(/^[\w.-]{1,100}$/, 'expected names of members such as region,year,pipeline');
/** Id of a workflow, valid in an address. */
export const dagId = z
  .string()
  .regex(/^(?!\.{1,2}$)[\w.-]{1,250}$/, 'expected letters, digits, dots, dashes and underscores, at most 250');
/** SHA-256 as `sha256sum` writes it. */
export const sha256Text = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'expected 64 hexadecimal digits, as sha256sum writes them')
  .toLowerCase();
/** Setting that is on or off. */
export const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'expected on or off' })
  .transform((text) => text === 'on' || text === 'true' || text === '1');
/** Path of a file or folder. */
export const folder = z.string().refine((path) => !path.startsWith('~'), '~ is not expanded here; write the full path');
/** Secret that signs tokens: a long text that cannot be guessed. */
export const secret = z
  .string()
  .min(32, 'expected at least 32 characters')
  .refine((text) => new Set(text).size > 1, 'expected random text, not one repeated character');
/** Example for the rule that a password must not be similar to the name. The real name has this form. */
const SUPERUSER = { username: 'test_user_0000' };
/** Password that meets the rules for accounts. */
export const superuserPassword = z.string().check(({ value, issues }) => {
  for (const { message } of passwordProblems(value, SUPERUSER)) issues.push({ code: 'custom', input: value, message });
});
/** Address of a mail server. Messages do not repeat it, because it contains a password. */
export const smtpUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== '';
}, 'expected smtp://user:password@host:587 or smtps://user:password@host');
/** Sender address of mails, with or without a name. */
export const mailAddress = z
  .string()
  .regex(
    /^(?:[^<>\p{Cc}]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u,
    'expected service@example.org or Name <service@example.org>',
  );
