import { type BucketName, GOOGLE_STORAGE, parseBucketName, shownBucket } from '@headwater/object-storage';
import { z } from 'zod';
import type { Refuse } from './config-error.ts';
import { folder, httpUrl, whole } from './fields.ts';

const GB = 1e9;

/** Variables of the bucket of published files. */
export const BUCKET_FIELDS = {
  STORAGE_BUCKET_NAME: z
    .string()
    .transform((text, context): BucketName => {
      const name = parseBucketName(text);
      if (typeof name !== 'string') return name;
      context.addIssue({ code: 'custom', message: name });
      return z.NEVER;
    })
    .optional(),
  STORAGE_ENDPOINT: httpUrl.optional(),
  STORAGE_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, 'expected the name of a region such as us-central1')
    .optional(),
  STORAGE_ACCESS_KEY_ID: z.string().optional(),
  STORAGE_SECRET_ACCESS_KEY: z.string().optional(),
  STORAGE_SECRET_ACCESS_KEY_FILE: folder.optional(),
  STORAGE_DELIVERY: z.enum(['proxy', 'redirect'], { error: 'expected proxy or redirect' }).optional(),
  STORAGE_PUBLIC_URL: httpUrl.optional(),
  STORAGE_TAKE_OVER: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'expected the id of an installation, which the error about the bucket shows')
    .optional(),
  STORAGE_CACHE_GB: whole(0, 1_000_000).optional(),
} as const;

type Values = z.output<z.ZodObject<typeof BUCKET_FIELDS>> & {
  readonly GOOGLE_APPLICATION_CREDENTIALS?: string | undefined;
};

/** Bucket for published files. */
export interface BucketConfig {
  readonly name: BucketName;
  readonly endpoint: string;
  readonly region: string;
  /** Key for the API of S3. A bucket of Google has none: its credentials come from a file or from the machine. */
  readonly key: { readonly id: string; readonly secret: string | { readonly path: string } } | undefined;
  /**
   * Addresses of files for clients. `proxy`: none, because the service sends all bytes. `signed`: addresses with a
   * signature. `publicUrl`: addresses in a public bucket.
   */
  readonly delivery: 'proxy' | 'signed' | { readonly publicUrl: string };
  /** Id of the installation that used the bucket before, if this installation replaces it. */
  readonly takeOver: string | undefined;
  /**
   * Limit of the total size of local files, bytes. Above this limit, local copies of files in the bucket are removed.
   */
  readonly cacheBytes: number;
}

const GOOGLE_REGION = 'us-central1';
/** Default region of S3. Other services with this API accept it if they have no regions. */
const S3_REGION = 'us-east-1';

const CACHE_GB = 20;
/**
 * Settings that need a bucket. STORAGE_DELIVERY and STORAGE_CACHE_GB are not in this list, because each copy of
 * `.env.example` sets them.
 */
const NEED_BUCKET = [
  'STORAGE_ENDPOINT',
  'STORAGE_REGION',
  'STORAGE_ACCESS_KEY_ID',
  'STORAGE_SECRET_ACCESS_KEY',
  'STORAGE_SECRET_ACCESS_KEY_FILE',
  'STORAGE_PUBLIC_URL',
  'STORAGE_TAKE_OVER',
] as const;
const S3_KEYS = ['STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY', 'STORAGE_SECRET_ACCESS_KEY_FILE'] as const;

/** Reads the settings of the bucket; undefined without STORAGE_BUCKET_NAME. */
export function bucketConfig(values: Values, refuse: Refuse): BucketConfig | undefined {
  const { STORAGE_BUCKET_NAME: name, STORAGE_PUBLIC_URL: publicUrl, STORAGE_DELIVERY: delivery = 'proxy' } = values;
  if (name === undefined) {
    for (const variable of NEED_BUCKET)
      if (values[variable] !== undefined)
        refuse(
          `STORAGE_BUCKET_NAME: needed with ${variable}; set it to gs://bucket or s3://bucket, or unset ${variable}.`,
        );
    if (delivery === 'redirect')
      refuse('STORAGE_BUCKET_NAME: needed with STORAGE_DELIVERY=redirect; set it, or set STORAGE_DELIVERY=proxy.');
    return undefined;
  }
  // A name without `s3://` is a bucket of Google. Without this check, keys of S3 would be ignored, and Google's
  // bearer token could be sent to another service.
  if (name.kind !== 's3')
    for (const variable of S3_KEYS)
      if (values[variable] !== undefined)
        refuse(
          `${variable}: is a key of S3, but ${shownBucket(name)} is a bucket of Google. Set STORAGE_BUCKET_NAME=s3://${name.bucket}, or unset ${variable}.`,
        );
  if (publicUrl !== undefined && delivery === 'proxy')
    refuse('STORAGE_PUBLIC_URL: is used only with STORAGE_DELIVERY=redirect. Set that, or unset STORAGE_PUBLIC_URL.');
  const isS3 = name.kind === 's3';
  const region = values.STORAGE_REGION ?? (isS3 ? S3_REGION : GOOGLE_REGION);
  const key = isS3 ? keyOf(values, refuse) : undefined;
  const signs = delivery === 'redirect' && publicUrl === undefined;
  if (signs && !isS3 && values.GOOGLE_APPLICATION_CREDENTIALS === undefined)
    refuse(
      'STORAGE_DELIVERY: signed addresses need the key of a service account. Set GOOGLE_APPLICATION_CREDENTIALS, or STORAGE_PUBLIC_URL for a public bucket, or STORAGE_DELIVERY=proxy.',
    );
  return {
    name,
    endpoint: values.STORAGE_ENDPOINT ?? (isS3 ? `https://s3.${region}.amazonaws.com` : GOOGLE_STORAGE),
    region,
    key,
    delivery: delivery === 'proxy' ? 'proxy' : publicUrl === undefined ? 'signed' : { publicUrl },
    takeOver: values.STORAGE_TAKE_OVER,
    cacheBytes: (values.STORAGE_CACHE_GB ?? CACHE_GB) * GB,
  };
}

function keyOf(
  {
    STORAGE_ACCESS_KEY_ID: id,
    STORAGE_SECRET_ACCESS_KEY: secret,
    STORAGE_SECRET_ACCESS_KEY_FILE: path,
  }: Pick<Values, 'STORAGE_ACCESS_KEY_ID' | 'STORAGE_SECRET_ACCESS_KEY' | 'STORAGE_SECRET_ACCESS_KEY_FILE'>,
  refuse: Refuse,
): BucketConfig['key'] {
  if (id === undefined) refuse('STORAGE_ACCESS_KEY_ID: needed with a bucket of S3; set it to the id of an access key.');
  if (secret !== undefined && path !== undefined)
    refuse('STORAGE_SECRET_ACCESS_KEY: set it or STORAGE_SECRET_ACCESS_KEY_FILE, not both.');
  const found = secret ?? (path === undefined ? undefined : { path });
  if (found === undefined)
    refuse(
      'STORAGE_SECRET_ACCESS_KEY: needed with a bucket of S3; set it, or set STORAGE_SECRET_ACCESS_KEY_FILE to a file that contains it.',
    );
  return id === undefined || found === undefined ? undefined : { id, secret: found };
}
