import { createHash, pbkdf2Sync } from 'node:crypto';

/** Hash of a password as in Django, with few iterations so that tests are fast. */
export function djangoHash(password: string, { salt = 'Zq8sxN2tKb41', iterations = 1000 } = {}): string {
  return `pbkdf2_sha256$${iterations}$${salt}$${pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64')}`;
}

/** Hash of a key as `djangorestframework-api-key` stores it. */
export const keyHash = (text: string): string => `sha512$$${createHash('sha512').update(text).digest('hex')}`;

export const SOURCE = 'https://live.example.org';
const HEADER = { format: 'headwater-dump', version: 1, source: SOURCE, made_at: '2026-11-01T00:00:00Z' };

/** Text of a dump with these records. A record that is a string becomes a line unchanged. */
export function dumpText(records: readonly (object | string)[], header: object = {}): string {
  const lines = records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  const all = [
    JSON.stringify({ ...HEADER, ...header }),
    ...lines,
    JSON.stringify({ type: 'end', records: lines.length }),
  ];
  return `${all.join('\n')}\n`;
}

export const userRecord = (id: number, username: string, rest: object = {}) => ({
  type: 'user',
  id,
  username,
  password: djangoHash(`password of ${username}`),
  email: `${username.toLowerCase()}@example.org`,
  is_active: true,
  date_joined: '2024-02-29T11:00:00+05:30',
  ...rest,
});

export const keyRecord = (text: string, user: number, rest: object = {}) => ({
  type: 'api_key',
  prefix: text.slice(0, 8),
  hashed_key: keyHash(text),
  user,
  name: 'field',
  created: '2024-03-01T00:00:00Z',
  expires_at: '2034-03-01T00:00:00Z',
  is_active: true,
  revoked: false,
  ...rest,
});
