import { expect, onTestFinished } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { createSampleService, publishAsSample, SAMPLE_USERS } from '../fixture/sample-service.ts';
import { itemAt } from '../published/places.fixture.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { signedInBrowser } from './screens.ts';

const ADMIN = '/admin/';
const NOTES = '/admin/notes/';
const MARKUP = '<img src=x onerror=alert(1)>';

/** Test cases of the admin's index and lists. */
export function adminListCases(target: HttpTarget, signedIn: () => Promise<ScreenBrowser>): void {
  defineCase(target, 'the index lists the kinds of entries with their counts', async () => {
    const { body } = await (await signedIn()).open(ADMIN);
    expect(body).toMatch(/<h2 id="work">Work<\/h2>[^]*<a href="\/admin\/notes\/">Notes<\/a>[^]*Entries: 120/);
    const hindi = await (await signedIn()).open(`${ADMIN}?lang=hi`);
    expect(hindi.body).toMatch(/<html lang="hi">[^]*<h1>व्यवस्थापन<\/h1>[^]*टिप्पणियाँ/);
  });

  defineCase(target, 'links and forms keep the language of the address', async () => {
    const own = await signedIn();
    const pages = [ADMIN, NOTES, `${NOTES}?q=note&by_color=red&sort=-text`, `${NOTES}add/`, `${NOTES}40/`];
    for (const path of pages) {
      const { body } = await own.open(`${path}${path.includes('?') ? '&' : '?'}lang=hi`);
      const found = [...body.matchAll(/(?:href|action)="(\/(?:admin|dashboard)\/[^"]*)"/g)].map(([, to = '']) => to);
      expect(found.length).toBeGreaterThan(1);
      expect([path, found.filter((to) => !/[?;]lang=hi(?:&|$)/.test(to))]).toEqual([path, []]);
    }
    expect((await own.open(`${NOTES}?lang=hi`)).body).toMatch(/role="search"[^]*name="lang" value="hi"[^]*<\/form>/);
    const typed = { text: 'note 040', color: 'red' };
    const changed = await own.submit(`${NOTES}40/`, typed, `${NOTES}40/?lang=hi`);
    expect(changed.location).toBe(`${NOTES}40/?lang=hi&done=change`);
    const refused = await own.submit(`${NOTES}40/`, { ...typed, text: '' }, `${NOTES}40/?lang=hi`);
    expect(refused.body).toContain('<html lang="hi">');
    expect(refused.body).toContain(`action="${NOTES}40/?lang=hi"`);
    const { token = '' } = hiddenFields(refused.body);
    const pinned = await own.post(`${NOTES}41/actions/pin/?lang=hi`, { token });
    expect(pinned.location).toBe(`${NOTES}41/?lang=hi&done=pin`);
    const actionsOf = async (path: string): Promise<readonly string[]> =>
      (await own.open(`${path}?lang=hi`)).body.match(/(?<=method="post" action=")[^"]*/g) ?? [];
    for (const path of ['/dashboard/', '/dashboard/password/', '/logout/'])
      expect([path, (await actionsOf(path)).filter((to) => !to.endsWith('?lang=hi'))]).toEqual([path, []]);
    own.cookies.delete('headwater_session');
    expect(await actionsOf('/login/')).toEqual(['/login/?lang=hi']);
    expect(await actionsOf('/register/')).toEqual(['/register/?lang=hi']);
    const wrong = await own.submit('/login/', { username: 'x', password: 'y' }, '/login/?lang=hi');
    expect(wrong.body).toContain('<html lang="hi">');
    const right = await own.submit('/login/', SAMPLE_USERS.operator, '/login/?lang=hi');
    expect(right.location).toBe('/dashboard/?lang=hi');
    own.cookies.delete('headwater_session');
    const sent = await own.post(`${NOTES}add/?lang=hi`, { token, ...typed });
    expect(decodeURIComponent(sent.location ?? '')).toMatch(/next=\/admin\/notes\/add\/\?text=.*&lang=hi/);
  });

  defineCase(target, 'a list has pages of 50 with their own titles, a search, filters and an order', async () => {
    const own = await signedIn();
    const names = async (query: string): Promise<readonly string[]> =>
      [
        ...(await own.open(NOTES + query)).body.matchAll(
          /<td><a href="\/admin\/notes\/\d+\/(?:\?[^"]*)?">(note \d+)</g,
        ),
      ].map(([, name = '']) => name);
    const first = await own.open(NOTES);
    expect(first.body).toMatch(/<h1>Notes<\/h1>[^]*<caption>\s*1 to 50 of 120\s*<\/caption>/);
    expect(first.body).toContain('<a rel="next" href="/admin/notes/?page=2">');
    const second = await own.open(`${NOTES}?page=2`);
    expect([first.body, second.body].map((body) => /<title>(.*)<\/title>/.exec(body)?.[1])).toEqual([
      'Notes - Admin',
      'Notes, page 2 - Admin',
    ]);
    expect((await names('?page=2'))[0]).toBe('note 051');
    expect(await names('?page=3')).toHaveLength(20);
    expect(await names('?q=note%2001&by_color=red')).toEqual([
      'note 010',
      'note 012',
      'note 014',
      'note 016',
      'note 018',
    ]);
    expect((await names('?sort=-text'))[0]).toBe('note 120');
    const sorted = await own.open(`${NOTES}?sort=-text&q=note&by_color=red`);
    expect(sorted.body).toMatch(
      /<th scope="col"\s+aria-sort="descending">\s*<a href="\/admin\/notes\/\?q=note&amp;by_color=red&amp;sort=text">/,
    );
    expect(sorted.body).toMatch(/<a href="\/admin\/notes\/\?q=note&amp;sort=-text"\s*>All<\/a>/);
    const ignored = '?sort=color&by_color=green&by_other=1&page=-1&page_size=9';
    expect([(await names(ignored)).length, (await names(ignored))[0]]).toEqual([50, 'note 001']);
    for (const page of ['99', 'x', '0', '1e9']) expect((await own.open(`${NOTES}?page=${page}`)).status).toBe(200);
    const none = await own.open(`${NOTES}?q=${encodeURIComponent(MARKUP)}`);
    expect(none.body).toContain('No entries match');
    expect(none.body).not.toContain('<img src=x');
    expect((await own.open(`${NOTES}?q=${encodeURIComponent('क'.repeat(200))}`)).body).toContain('No entries match');
  });

  defineCase(
    target,
    'search, filters, order and page of a list are kept on the pages of its entries and after actions',
    async () => {
      const own = await signedIn();
      const query = 'q=note&by_color=red&sort=-text&page=2';
      const list = `${NOTES}?${query}`;
      const kept = `list=${encodeURIComponent(query)}`;
      const isBack = (body: string): boolean => body.includes(`<a href="${list.replaceAll('&', '&amp;')}">`);
      const listed = await own.open(list);
      const [, row = ''] = /<td><a href="([^"]*)">note 016</.exec(listed.body) ?? [];
      expect(row).toBe(`${NOTES}16/`);
      expect(listed.body).toContain(`action="${NOTES}actions/?${kept}"`);
      const shown = await own.open(row, { referer: `https://example.org${list}` });
      expect(isBack(shown.body)).toBe(true);
      const form = `${NOTES}16/?${kept}`;
      expect(shown.body).toContain(`method="post" action="${form}"`);
      const pinned = await own.submit(row, {}, `${NOTES}16/actions/pin/?${kept}`);
      expect(pinned.location).toBe(`${NOTES}16/?${kept}&done=pin`);
      const changed = await own.submit(row, { text: 'note 016', color: 'red' }, form);
      expect(changed.location).toBe(`${NOTES}16/?${kept}&done=change`);
      const refused = await own.submit(row, { text: '', color: 'red' }, form);
      expect([refused.status, isBack(refused.body)]).toEqual([400, true]);
      const asked = await own.submit(row, {}, `${NOTES}16/actions/remove/?${kept}`);
      expect([asked.status, isBack(asked.body)]).toEqual([200, true]);
      const removed = await own.post(`${NOTES}16/actions/remove/?${kept}`, hiddenFields(asked.body));
      expect(removed.location).toBe(`${list}&done=remove`);
      expect((await own.open(removed.location ?? '')).body).toMatch(/Done: Remove[^]*aria-sort="descending"/);
      const { token = '' } = hiddenFields(listed.body);
      const bulk = await own.post(`${NOTES}actions/?${kept}`, { token, action: 'pin', 'row:18': 'on' });
      expect([bulk.status, isBack(bulk.body)]).toEqual([200, true]);
      const none = await own.post(`${NOTES}actions/?${kept}`, { token, action: 'pin' });
      expect([none.status, none.body]).toEqual([400, expect.stringMatching(/value="note"[^]*51 to /)]);
      const forged = await own.open(
        `${NOTES}18/?list=${encodeURIComponent('lang=hi&done=add&next=//evil.example/&q="><b>')}`,
      );
      expect(forged.body).toContain(`<a href="${NOTES}?q=%22%3E%3Cb%3E">`);
      expect(forged.body).toContain('<html lang="en">');
    },
  );

  defineCase(target, 'a district counts layers of its tehsils, also under slugs of earlier versions', async () => {
    const sample = await createSampleService();
    const host = await target.start({ mounts: [{ service: sample.service, prefix: '' }] });
    onTestFinished(async () => {
      await sample.close();
      await host.close();
    });
    const { lookups, places } = sample.stores;
    await places.saveBundle({ ...SAMPLE_PLACE, district: 'Old District', tehsil: 'Salt & Sand' });
    const items = [itemAt('sample_state/old_district/salt_sand', [75, 20])];
    await publishAsSample(sample, { items, layers: [], timings: {} });
    const { units } = await lookups.listUnits({ level: 'district', limit: 9, offset: 0 });
    const id = units.find(({ name }) => name === 'Old District')?.id;
    const { body } = await (
      await signedInBrowser(host.url, SAMPLE_USERS.operator)
    ).open(`/admin/places/district-${id}/`);
    expect(body.slice(body.indexOf('id="below"'))).toMatch(/>Salt &amp; Sand<[^]*<td class="num">1<\/td>\s*<\/tr>/);
  });

  defineCase(target, 'a list contains no link that runs a script', async () => {
    expect((await (await signedIn()).open(NOTES)).body).not.toContain('javascript:');
  });
}
