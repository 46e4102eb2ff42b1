/** A bucket that was parsed from a setting. */
export interface BucketName {
  readonly kind: 's3' | 'gcs';
  readonly bucket: string;
  /** Prefix of all keys: empty, or a folder with a slash at its end. */
  readonly prefix: string;
}

/**
 * Names that Google Cloud Storage accepts (https://cloud.google.com/storage/docs/buckets#naming). S3 accepts fewer: no
 * underscores.
 */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Parses `gs://bucket`, `s3://bucket/folder`, or a plain name (Google). For other texts, returns a message. */
export function parseBucketName(text: string): BucketName | string {
  const [, scheme, rest = ''] = /^(?:([a-z0-9]+):\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (scheme !== undefined && !['gs', 's3'].includes(scheme.toLowerCase()))
    return `"${scheme}://" is not the scheme of a bucket; use gs://bucket or s3://bucket`;
  const [bucket = '', ...folders] = rest.replace(/\/+$/, '').split('/');
  if (!BUCKET.test(bucket))
    return `"${bucket}" is not the name of a bucket; use 3 to 63 lower-case letters, digits, dots, hyphens and underscores, with a letter or digit at both ends`;
  const wrong = folders.find((folder) => !PREFIX.test(folder));
  if (wrong !== undefined)
    return `the folder "${wrong}" is not allowed; use one or more letters, digits, dots, hyphens and underscores, and no dot at the beginning`;
  return {
    kind: scheme?.toLowerCase() === 's3' ? 's3' : 'gcs',
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
  };
}

/** Name of a bucket with scheme and folder, for messages. */
export function shownBucket({ kind, bucket, prefix }: BucketName): string {
  return `${kind === 's3' ? 's3' : 'gs'}://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
}
