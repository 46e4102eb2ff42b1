import { expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { type Fields, hiddenFields, type ScreenBrowser, type Shown } from './screen-browser.ts';

const NOTES = '/admin/notes/';

/** Test cases of admin forms that are sent after the end of the session. */
export function endedSessionCases(target: HttpTarget, signedIn: () => Promise<ScreenBrowser>): void {
  const returned = async (own: ScreenBrowser, path: string, fields: Fields): Promise<string> => {
    own.cookies.delete('headwater_session');
    const sent = await own.post(path, { secret: 'tall-river-42', password: 'tall-river-42', ...fields });
    expect([path, sent.status]).toEqual([path, 303]);
    expect(sent.location).not.toMatch(/tall-river-42|token/);
    const done = await own.submit(sent.location ?? '', SAMPLE_USERS.operator);
    const shown = await own.open(done.location ?? '');
    return shown.status === 303 ? (await own.open(shown.location ?? '')).body : shown.body;
  };

  defineCase(
    target,
    'if the session has ended, the sign-in returns to the page, which has the typed texts',
    async () => {
      const own = await signedIn();
      const { token = '' } = hiddenFields((await own.open(`${NOTES}add/`)).body);
      own.cookies.delete('headwater_session');
      const typed = { token, text: 'half & done', secret: 'tall-river-42', other: 'x' };
      const sent = await own.post(`${NOTES}add/`, typed);
      expect([sent.status, decodeURIComponent(sent.location ?? '')]).toEqual([
        303,
        '/login/?next=/admin/notes/add/?text=half+%26+done&is_pinned=',
      ]);
      const done = await own.submit(sent.location ?? '', SAMPLE_USERS.operator);
      const shown = await own.open(done.location ?? '');
      expect(shown.body).toContain('value="half &amp; done"');
      expect(shown.body).not.toMatch(/id="is_pinned"[^>]* checked/);
      own.cookies.delete('headwater_session');
      const long = await own.post(`${NOTES}add/`, { ...hiddenFields(shown.body), text: 'x'.repeat(3600) });
      expect(decodeURIComponent(long.location ?? '')).toMatch(/\?is_pinned=$/);
    },
  );

  defineCase(
    target,
    'a change whose session has ended is shown again with the typed texts, marked as unsaved',
    async () => {
      const own = await signedIn();
      const page = `${NOTES}40/`;
      const form = hiddenFields((await own.open(page)).body);
      const body = await returned(own, page, { ...form, text: 'half & done', color: 'blue', is_pinned: 'on' });
      expect(body).toContain('value="half &amp; done"');
      expect(body).toMatch(/<option value="blue"\s+selected/);
      expect(body).toMatch(/id="is_pinned"[^>]* checked/);
      expect(body).toMatch(/role="alert">\s*<p>The form has texts that are not saved yet[^]*Now: note 040/);
      expect((await own.open(page)).body).toContain('<h1>note 040</h1>');
      const saved = await own.post(page, { ...hiddenFields(body), text: 'half & done', color: 'blue' });
      expect([saved.status, saved.location]).toEqual([303, `${page}?done=change`]);
    },
  );

  defineCase(target, 'a field that the user has cleared is still empty when the form is shown again', async () => {
    const own = await signedIn();
    const page = `${NOTES}45/`;
    const form = hiddenFields((await own.open(page)).body);
    const body = await returned(own, page, { ...form, text: '', color: 'blue' });
    expect(body).toContain('Now: note 045');
    expect(body).not.toContain('value="note 045"');
  });

  defineCase(target, 'a form that is shown again has a link to the list from which it was opened', async () => {
    const own = await signedIn();
    const query = 'q=note&by_color=red';
    const { token = '', ...form } = hiddenFields((await own.open(`${NOTES}46/`)).body);
    for (const [path, fields] of [
      ['add/', {}],
      ['46/', form],
      ['46/actions/pin/', {}],
      ['46/actions/remove/', {}],
      ['actions/', { action: 'move', 'row:46': 'on' }],
    ] as const) {
      const body = await returned(own, `${NOTES}${path}?list=${encodeURIComponent(query)}`, { token, ...fields });
      expect([path, body]).toEqual([
        path,
        expect.stringContaining(`<a href="${NOTES}?${query.replace('&', '&amp;')}">`),
      ]);
    }
  });

  defineCase(target, 'the headers of the redirects to the sign-in and back have at most 4 KiB', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}add/`)).body);
    const sizeOf = ({ headers }: Shown): number =>
      [...headers].reduce((size, [name, value]) => size + name.length + value.length + 4, 0);
    for (const text of ['x'.repeat(2900), 'x'.repeat(3450), 'क'.repeat(190), 'क'.repeat(380), '%'.repeat(1100)]) {
      own.cookies.delete('headwater_session');
      const sent = await own.post(`${NOTES}add/`, { token, text });
      const done = await own.submit(sent.location ?? '', SAMPLE_USERS.operator);
      expect([text, done.location]).toEqual([text, expect.stringContaining(`${NOTES}add/?`)]);
      for (const shown of [sent, done])
        expect([text, sizeOf(shown)]).toEqual([text, expect.toSatisfy((size) => size <= 4096)]);
    }
    own.cookies.delete('headwater_session');
    const long = await own.open(`${NOTES}?q=${encodeURIComponent('क'.repeat(400))}`);
    expect(long.location).toBe(`/login/?next=${encodeURIComponent(NOTES)}`);
  });

  defineCase(target, 'a change that is shown again is still compared with changes by other users', async () => {
    const [own, other] = [await signedIn(), await signedIn()];
    const page = `${NOTES}41/`;
    const form = hiddenFields((await own.open(page)).body);
    expect((await other.submit(page, { text: 'by the other', color: 'red' })).status).toBe(303);
    const body = await returned(own, page, { ...form, text: 'mine', color: 'blue' });
    const late = await own.post(page, { ...hiddenFields(body), text: 'mine', color: 'blue' });
    expect([late.status, late.body]).toEqual([409, expect.stringContaining('Now: by the other')]);
  });

  defineCase(
    target,
    'an action is not run if the session has ended; after the sign-in, its form is shown with its fields',
    async () => {
      const own = await signedIn();
      const { token = '' } = hiddenFields((await own.open(`${NOTES}42/`)).body);
      const seal = await returned(own, `${NOTES}42/actions/seal/`, { token, confirmed: 'yes', reason: 'old & dry' });
      expect(seal).toMatch(/value="old &amp; dry"[^]*type="password"/);
      const remove = await returned(own, `${NOTES}42/actions/remove/`, { token, confirmed: 'yes' });
      expect(remove).toContain('Removes note 042 for good.');
      expect(await returned(own, `${NOTES}42/actions/pin/`, { token })).toContain('/actions/pin/');
      expect((await own.open(`${NOTES}42/`)).body).toContain('No change is recorded');
    },
  );

  defineCase(
    target,
    'the form of an action on chosen entries is shown again with entries and fields, or without both if they are too long',
    async () => {
      const own = await signedIn();
      const { token = '' } = hiddenFields((await own.open(NOTES)).body);
      const rows = { 'row:43': 'on', 'row:44': 'on' };
      const sent = { token, action: 'move', confirmed: 'yes', shelf: 'upper', ...rows };
      const body = await returned(own, `${NOTES}actions/`, sent);
      expect(body).toMatch(/name="action" value="move"[^]*name="row:43" value="on"[^]*name="row:44"[^]*value="upper"/);
      const many = Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`row:${'x'.repeat(36)}${index}`, 'on']),
      );
      expect(await returned(own, `${NOTES}actions/`, { ...sent, ...many })).toContain('<h1>Notes</h1>');
    },
  );
}
