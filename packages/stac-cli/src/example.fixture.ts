import { exportTree } from '@headwater/stac-cli';

const root = 'https://example.org/api/v1/stac/';
const read = async (href: string): Promise<unknown> => {
  const response = await fetch(href);
  return response.ok ? response.json() : undefined;
};
const lines = await exportTree({ root, read }, { format: 'geoparquet', out: 'items.parquet' });
console.log(lines.join('\n'));
