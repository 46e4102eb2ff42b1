/** Query parameters of signed addresses of Azure, S3, Google and CloudFront, in small letters. */
const SIGNATURE =
  /^(?:x-(?:amz|goog)-.*|sig|se|sp|sv|sr|st|spr|skoid|sktid|skt|ske|sks|skv|signature|expires|policy|key-pair-id|awsaccesskeyid|googleaccessid)$/;

/** Address without the parts that differ between two signatures of one file: user, fragment, and the parameters of signatures. */
export function stableAddress(href: string): string {
  if (!URL.canParse(href)) return href;
  const url = new URL(href);
  const names = [...new Set(url.searchParams.keys())].filter((name) => SIGNATURE.test(name.toLowerCase()));
  for (const name of names) url.searchParams.delete(name);
  url.username = url.password = url.hash = '';
  return url.href;
}
