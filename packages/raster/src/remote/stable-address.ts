/**
 * A kind of signed address. An address is of this kind if it has all parameters in `all` (lower case). These and the
 * parameters that match `more` form the signature.
 */
interface Signature {
  readonly all: readonly string[];
  readonly more: RegExp;
}

const SIGNATURES: readonly Signature[] = [
  // Azure.
  { all: ['sig', 'sv'], more: /^(?:s[eprt]|spr|skoid|sktid|sk[testv])$/ },
  // S3 and Google, current form.
  { all: ['x-amz-signature'], more: /^x-amz-/ },
  { all: ['x-goog-signature'], more: /^x-goog-/ },
  // S3 and Google, older form; CloudFront.
  { all: ['signature', 'awsaccesskeyid'], more: /^expires$/ },
  { all: ['signature', 'googleaccessid'], more: /^expires$/ },
  { all: ['signature', 'key-pair-id'], more: /^(?:expires|policy)$/ },
];

/** Removes the parts of an address that may differ for one file: user, fragment, and parameters of a signature. */
export function stableAddress(href: string): string {
  if (!URL.canParse(href)) return href;
  const url = new URL(href);
  const names = [...new Set(url.searchParams.keys())];
  const small = new Set(names.map((name) => name.toLowerCase()));
  const signatures = SIGNATURES.filter(({ all }) => all.every((name) => small.has(name)));
  const isPart = (name: string): boolean => signatures.some(({ all, more }) => all.includes(name) || more.test(name));
  for (const name of names) if (isPart(name.toLowerCase())) url.searchParams.delete(name);
  url.username = url.password = url.hash = '';
  return url.href;
}
