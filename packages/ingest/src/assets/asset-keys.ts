import { DomainError } from '@headwater/core/errors';

/** Parts of an asset key `{runId}/{token}/{name}`. */
export interface AssetKey {
  readonly runId: string;
  readonly token: number;
  readonly name: string;
}

const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const TOKEN = /^(0|[1-9]\d{0,14})$/;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** Parses a key; undefined for another form. */
export function parseAssetKey(key: string): AssetKey | undefined {
  const [runId = '', token = '', name = '', ...more] = key.split('/');
  if (more.length > 0 || !RUN_ID.test(runId) || !TOKEN.test(token) || !NAME.test(name)) return undefined;
  return { runId, token: Number(token), name };
}

/** Joins the parts of a key. Throws `input_data` for an invalid part. */
export function assetKey({ runId, token, name }: AssetKey): string {
  const key = `${runId}/${token}/${name}`;
  if (parseAssetKey(key) === undefined) {
    throw new DomainError(
      'input_data',
      `Asset ${JSON.stringify(key)} cannot be stored: use {run id}/{token}/{file name}: a run id of letters, digits, '_' and '-' that begins with a letter or digit; a number; a file name of letters, digits, '.', '_' and '-' that begins with a letter, a digit or '_'.`,
    );
  }
  return key;
}
