import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportNotes } from '../shared/import-notes.ts';
import { hostileBench } from '../boundaries/hostile-files.fixture.ts';
import { zip } from '../boundaries/import-files.fixture.ts';
import { readVector } from '../layer/read-vector.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { readKml } from './read-kml.ts';

const bench = hostileBench();

const RING = '78,17,0 78.1,17,0 78.1,17.1,0 78,17.1,0 78,17,0';
const POLYGON = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${RING}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
const NAMES =
  '<Data name="state"><value>Aland</value></Data><Data name="district"><value>Bland</value></Data><Data name="tehsil"><value>Cland</value></Data>';
const placemark = (geometry = POLYGON, data = NAMES): string =>
  `<Placemark><name>one</name><ExtendedData>${data}</ExtendedData>${geometry}</Placemark>`;
const kml = (...placemarks: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemarks.join('')}</Document></kml>`;
const kmz = (text: string, name = 'doc.kml'): Buffer => zip([{ name, content: Buffer.from(text) }]);

describe.each([
  ['in.kml', (text: string) => Buffer.from(text)],
  ['in.kmz', (text: string) => kmz(text)],
])('boundaries in %s', (name, write) => {
  it('are stored with their holes, from any folder and with any namespace prefix', async () => {
    const hole =
      '<innerBoundaryIs><LinearRing><coordinates>78.04,17.04 78.06,17.04 78.06,17.06 78.04,17.04</coordinates></LinearRing></innerBoundaryIs>';
    const own = placemark(POLYGON.replace('</Polygon>', `${hole}</Polygon>`));
    await bench.put(
      name,
      write(kml(`<Folder><Folder>${own.replaceAll(/<(\/?)Polygon/g, '<$1k:Polygon')}</Folder></Folder>`)),
    );
    expect(await bench.run('places', name)).toMatchObject({ stored: 1, refusedCount: 0 });
    const [tehsil] = await bench.stores.places.tehsilUnits(1);
    expect(tehsil).toMatchObject({ name: 'Cland' });
    const stored = await bench.stores.places.placeOfTehsil(tehsil?.id ?? 0);
    expect(stored?.tehsil.geometry?.coordinates).toHaveLength(2);
  });

  it('are refused one by one, with the reason', async () => {
    const bad = [
      placemark('<Point><coordinates>78,17 79,18</coordinates></Point>'),
      placemark('<Model><Link><href>http://127.0.0.1/x.dae</href></Link></Model>'),
      placemark(POLYGON.replace('78,17,0', '78, 17, 0')),
      placemark(
        `<MultiGeometry>${POLYGON}<LineString><coordinates>78,17 79,18</coordinates></LineString></MultiGeometry>`,
      ),
      placemark(''),
      placemark(POLYGON.replaceAll('outerBoundaryIs', 'innerBoundaryIs')),
      placemark(POLYGON.replace(/<outer.*outerBoundaryIs>/, '$&$&')),
      placemark('<Polygon/>'),
    ];
    await bench.put(name, write(kml(placemark(), ...bad)));
    const report = await bench.run('places', name);
    expect(report).toMatchObject({ stored: 1, refusedCount: 8 });
    const problems = report.refused.map(({ row, problem }) => `${row} ${problem}`);
    expect(problems[0]).toContain('2 a point has 2 positions');
    expect(problems[1]).toContain('3 a Model cannot be imported');
    expect(problems[2]).toContain('4 the coordinates have "78,"');
    expect(problems[3]).toContain('5 the placemark has Polygon and LineString geometries');
    expect(problems[4]).toMatch(/^6 .*geometry/);
    expect(problems[5]).toContain('7 a polygon has 0 outlines');
    expect(problems[6]).toContain('8 a polygon has 2 outlines');
    expect(problems[7]).toContain('9 a polygon has 0 outlines');
  });
});

async function refusalOf(name: string, content: string | Uint8Array, most = 64 * 2 ** 20): Promise<string> {
  const path = join(bench.dir, name);
  await writeFile(path, content);
  try {
    const rows: unknown[] = [];
    for await (const row of readKml({ path, fileName: name, progress: () => undefined }, most)) rows.push(row);
    return `accepted: ${JSON.stringify(rows)}`;
  } catch (error) {
    return error instanceof BadPlaceFile ? error.message : `thrown: ${String(error)}`;
  }
}

it('refuses a hostile KML file as a whole', async () => {
  const root = '<kml><Document>';
  const cases: readonly (readonly [text: string | Buffer, why: RegExp])[] = [
    [`<!DOCTYPE kml [<!ENTITY a SYSTEM "file:///etc/passwd">]>${kml(placemark())}`, /document type/],
    [kml(placemark().replace('one', '&bomb;')), /not KML \(Invalid character entity/],
    [kml(placemark(), '<NetworkLink><Link><href>http://127.0.0.1/</href></Link></NetworkLink>'), /NetworkLink/],
    ['', /empty/],
    ['not XML', /not KML/],
    ['<html><body/></html>', /begins with <html>/],
    [kml(placemark()).slice(0, -20), /not KML/],
    [`${root}${'<Folder>'.repeat(100)}`, /64 nested elements/],
    [`<kml ${Array.from({ length: 200 }, (_, i) => `a${i}="1"`).join(' ')}/>`, /100 attributes/],
    [Buffer.from([0x3c, 0x6b, 0xff, 0x3e]), /not in UTF-8/],
    [kml(placemark(`<Point><coordinates>${' '.repeat(65 * 2 ** 20)}`)), /more than 64 MB; split it/],
    [kml(placemark('', '<x>')), /not KML/],
    [kml(placemark('<Polygon/>'.repeat(2 ** 20))), /a placemark has more than 64 MB/],
    [kml(placemark('', '<Data name=""/>'.repeat(2 ** 19))), /a placemark has more than 64 MB/],
  ];
  for (const [text, why] of cases) expect(await refusalOf('in.kml', text)).toMatch(why);
  const names = kml(`<SimpleField name="${'n'.repeat(60_000)}"/>`.repeat(1200));
  expect(await refusalOf('in.kml', names, 128 * 2 ** 20)).toMatch(/64 MB outside/);
  await bench.put('in.kml', `<!DOCTYPE kml>${kml(placemark())}`);
  expect(await bench.refusal('in.kml')).toMatch(/document type/);
});

it('refuses a KMZ that is damaged, has no KML document or several, or unpacks to more than 100 times its size', async () => {
  const member = (name: string, content: Uint8Array, claimed?: number) => ({
    name,
    content,
    ...(claimed && { claimed }),
  });
  const document = Buffer.from(kml(placemark()));
  const cases: readonly (readonly [file: Buffer, why: RegExp])[] = [
    [Buffer.from('PK no zip'), /cannot be read/],
    [zip([member('picture.png', document)]), /has no \.kml/],
    [zip([member('a.kml', document), member('b.kml', document)]), /several \.kml/],
    [zip([member('doc.kml', Buffer.alloc(40 * 2 ** 20, 32))]), /100 times its size/],
    [zip([member('doc.kml', Buffer.alloc(2 ** 20, 32), 10)]), /cannot be read/],
    [zip([member('../doc.kml', document)]), /cannot be read/],
  ];
  for (const [file, why] of cases) expect(await refusalOf('in.kmz', file)).toMatch(why);
});

it('reads a layer of lines: values are numbers if a Schema declares numbers, and styles are left out', async () => {
  const schema = '<Schema id="s"><SimpleField type="double" name="order"/></Schema><Style id="a"><LineStyle/></Style>';
  const line = (at: number): string =>
    `<Placemark><name>L${at}</name><ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="order">${at}.5</SimpleData></SchemaData></ExtendedData><LineString><coordinates>
      78,17 78.${at},17.1
    </coordinates></LineString></Placemark>`;
  const path = join(bench.dir, 'in.KML');
  await writeFile(path, kml(schema, line(1), line(2), placemark()));
  const findings = new ImportNotes();
  const request = { path, fileName: 'in.KML', signal: new AbortController().signal };
  const vector = await readVector(request, findings);
  expect(vector?.features.map(({ properties }) => properties)).toEqual([
    { name: 'L1', order: 1.5 },
    { name: 'L2', order: 2.5 },
  ]);
  expect([vector?.shape, findings.report.refused[0]?.problem]).toEqual([
    'line',
    expect.stringContaining('it is a polygon'),
  ]);
  await writeFile(path, '<kml><NetworkLink/></kml>');
  await expect(readVector(request, findings)).rejects.toMatchObject({ code: 'validation' });
});
