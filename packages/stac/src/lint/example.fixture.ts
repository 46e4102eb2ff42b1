import { lintTree } from '@headwater/stac';

const root = 'https://example.org/api/v1/stac/';
const read = async (href: string): Promise<unknown> => {
  const response = await fetch(href);
  return response.ok ? response.json() : undefined;
};
const findings = await lintTree({ root, read });
for (const { document, pointer, rule, got, expected } of findings) console.log(document, pointer, rule, got, expected);
