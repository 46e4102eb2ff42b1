import {
  type ApiKey,
  type ApiKeyNamed,
  type NewApiKeyRequest,
  type ListedApiKey,
  MAX_EXPIRY_DAYS,
  MAX_KEY_NAME,
  maskedText,
} from '@headwater/identity';
import { z } from 'zod';
import { checked } from '../../../wire/checked.ts';
import { RequestError } from '../../../wire/request-error.ts';
import { idOrText, text } from '../../../wire/text.ts';

const GENERATE = 'generate';
const DEACTIVATE = 'deactivate';
const DIGITS = /^[0-9]{1,10}$/;

/** Body of the route that creates and deactivates keys, as OpenAPI documents it. */
export const ApiKeyRequest = z
  .object({
    action: z.enum([GENERATE, DEACTIVATE]).optional().describe('Default: generate.'),
    name: z
      .string()
      .max(MAX_KEY_NAME)
      .optional()
      .describe('Name of the new key; default: a name with the current time.'),
    expiry_days: z
      .int()
      .min(1)
      .max(MAX_EXPIRY_DAYS)
      .optional()
      .describe('Days until the new key expires; default 3000.'),
    user_id: idOrText.optional().describe('Id of the owner of the key to deactivate.'),
    api_key: z.string().optional().describe('The key to deactivate: its full text, or the masked text of the list.'),
  })
  .meta({ id: 'ApiKeyRequest' });

/** Accepts any object. `apiKeyCommand` checks the members and writes the errors. */
export const ApiKeyFields = z.looseObject({});

/** Parsed request about keys. */
export type ApiKeyCommand =
  | { readonly action: typeof GENERATE; readonly wish: NewApiKeyRequest }
  | { readonly action: typeof DEACTIVATE; readonly named: ApiKeyNamed };

/** Parses a body. Blank and null members count as absent. Throws `validation` with messages for existing clients. */
export function apiKeyCommand(body: Readonly<Record<string, unknown>>): ApiKeyCommand {
  const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
  const { action = GENERATE } = fields;
  if (action === DEACTIVATE) return { action, named: namedOf(fields) };
  if (action === GENERATE) return { action, wish: wishOf(fields) };
  const message = `Invalid action. Use: ${GENERATE}, ${DEACTIVATE}`;
  throw new RequestError({ action: [`Must be ${GENERATE} or ${DEACTIVATE}.`] }, message);
}

const Name = z.object({ name: text(MAX_KEY_NAME).optional() });

function wishOf(fields: Readonly<Record<string, unknown>>): NewApiKeyRequest {
  const { name } = checked(Name, fields);
  const days = fields['expiry_days'];
  return { ...(name === undefined ? {} : { name }), ...(days === undefined ? {} : { expiryDays: daysOf(days) }) };
}

function daysOf(days: unknown): number {
  const count = wholeNumber(days);
  if (count !== undefined && count >= 1 && count <= MAX_EXPIRY_DAYS) return count;
  const remedy = `Give a whole number of days from 1 to ${MAX_EXPIRY_DAYS}.`;
  throw new RequestError({ expiry_days: [remedy] }, 'Invalid expiry_days value');
}

/** Reads a whole number, or a text of digits, which forms send. */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && DIGITS.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

const Named = z.object({ user_id: idOrText, api_key: text(200) });

function namedOf(fields: Readonly<Record<string, unknown>>): ApiKeyNamed {
  const { user_id: userId, api_key: key } = checked(Named, fields);
  return { userId, text: key };
}

const KeyFacts = { is_active: z.boolean(), expires_at: z.string() };
const Masked = z.string().describe('First 8 characters of the key; the secret is masked.');

/** Body of a 201: the new key. */
export const MadeApiKeyBody = z
  .object({
    action: z.literal(GENERATE),
    success: z.literal(true),
    message: z.string(),
    data: z.object({
      api_key: z.string().describe('The full key. It is shown only in this response: store it.'),
      ...KeyFacts,
      created_at: z.string(),
      name: z.string(),
    }),
  })
  .meta({ id: 'MadeApiKey' });

/** Body of a 200: the deactivated key. */
export const EndedApiKeyBody = z
  .object({
    action: z.literal(DEACTIVATE),
    success: z.literal(true),
    message: z.string(),
    data: z.object({ api_key: Masked, ...KeyFacts }),
  })
  .meta({ id: 'DeactivatedApiKey' });

/** Body of a 200: the caller's keys. */
export const ApiKeyListBody = z
  .object({
    success: z.literal(true),
    message: z.string(),
    api_keys: z.array(
      z.object({
        api_key: Masked,
        ...KeyFacts,
        created_at: z.string(),
        name: z.string(),
        last_used_at: z
          .string()
          .nullable()
          .describe('Time of the last request, at most ten seconds behind; null if the key was never used.'),
        days: z
          .array(z.object({ day: z.string(), requests: z.int() }))
          .describe('Requests by day (UTC) in the last 30 days; days without requests are left out.'),
      }),
    ),
  })
  .meta({ id: 'ApiKeys' });

/** Response with a new key and its full text. */
export function madeApiKeyBody(apiKey: string, key: ApiKey): z.infer<typeof MadeApiKeyBody> {
  const data = { api_key: apiKey, ...factsOf(key), created_at: wireTime(key.createdAt), name: key.name };
  return { action: GENERATE, success: true, message: 'API key generated successfully', data };
}

/** Response with a deactivated key. */
export function endedApiKeyBody(key: ApiKey): z.infer<typeof EndedApiKeyBody> {
  const data = { api_key: maskedText(key.prefix), ...factsOf(key) };
  return { action: DEACTIVATE, success: true, message: 'API key deactivated successfully', data };
}

/** Response with active keys, in the given order. */
export function apiKeyListBody(keys: readonly ListedApiKey[]): z.infer<typeof ApiKeyListBody> {
  const list = keys.map((key) => ({
    api_key: maskedText(key.prefix),
    ...factsOf(key),
    created_at: wireTime(key.createdAt),
    name: key.name,
    last_used_at: key.lastUsedAt === null ? null : wireTime(key.lastUsedAt),
    days: key.days.map(({ day, uses }) => ({ day, requests: uses })),
  }));
  return { success: true, message: 'API keys retrieved successfully', api_keys: list };
}

function factsOf({ isActive, expiresAt }: ApiKey): { readonly is_active: boolean; readonly expires_at: string } {
  return { is_active: isActive, expires_at: wireTime(expiresAt) };
}

/** Formats a time with microseconds, which existing dashboards parse. */
function wireTime(iso: string): string {
  return iso.replace(/(\.\d{3})Z$/, '$1000Z');
}
