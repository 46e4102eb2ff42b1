import { expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { type Fields, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import type { SignInFields } from './screens.ts';

const ADMIN = '/admin/';
const NOTES = '/admin/notes/';
const MARKUP = '<img src=x onerror=alert(1)>';

/** Opens a browser and signs a user in (default: the superuser). */
export type SignedIn = (user?: SignInFields) => Promise<ScreenBrowser>;

/** Test cases of the admin's forms. */
export function adminFormCases(target: HttpTarget, signedIn: SignedIn): void {
  defineCase(target, 'an entry is added and changed, and its page shows the history', async () => {
    const own = await signedIn();
    const added = await own.submit(`${NOTES}add/`, { text: `first ${MARKUP}`, color: 'red' });
    expect([added.status, added.location]).toEqual([303, expect.stringMatching(/^\/admin\/notes\/\d+\/\?done=add$/)]);
    const page = (added.location ?? '').replace(/\?.*/, '');
    const shown = await own.open(added.location ?? '');
    expect(shown.body).toMatch(/role="status">Added\.<[^]*first &lt;img/);
    const changed = await own.submit(page, { text: 'second', color: 'blue', is_pinned: 'on' });
    expect([changed.status, changed.location]).toEqual([303, `${page}?done=change`]);
    const after = await own.open(changed.location ?? '');
    expect(after.body).toMatch(/<h1>second<\/h1>[^]*The changes are saved/);
    expect(after.body).toMatch(/id="is_pinned"[^>]* checked/);
    expect(after.body).toMatch(/<option value="blue"\s+selected/);
    expect(after.body).toMatch(/Text: first &lt;img[^<]*→\s+second[^]*Colour: Red →\s+Blue[^]*Pinned: no →\s+yes/);
    expect(after.body).toMatch(/operator[^]*changed[^]*operator[^]*added/);
    for (const { body } of [shown, after]) expect(body).not.toContain('<img src=x');
    const index = await own.open(ADMIN);
    expect(index.body).toMatch(new RegExp(`Latest changes[^]*<a href="${page}">second</a>`));
  });

  defineCase(
    target,
    'a refused form is shown again with the typed texts and the reason at the field, and changes nothing',
    async () => {
      const own = await signedIn();
      for (const [fields, reason] of [
        [{ text: '', color: 'red' }, 'id="text-error"><span lang="en">This field is required'],
        [{ text: 'x'.repeat(101), color: 'red' }, 'no more than 100 characters'],
        [{ text: 'kept', color: 'green' }, 'id="color-error"><span lang="en">Must be one of red, blue'],
        [{ text: 'refused', color: 'red' }, 'id="text-error"><span lang="en">is refused; write another one'],
      ] as const) {
        for (const path of [`${NOTES}add/`, `${NOTES}5/`]) {
          const refused = await own.submit(path, { ...fields, secret: 'tall-river-42', is_pinned: 'on' });
          expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(reason)]);
          expect(refused.body).toContain('Correct the marked fields');
          expect(refused.body).toMatch(/id="is_pinned"[^>]* checked/);
          expect(refused.body).not.toContain('tall-river-42');
        }
      }
      const { body } = await own.open(`${NOTES}5/`);
      expect(body).toMatch(/<h1>note 005<\/h1>[^]*No change is recorded/);
    },
  );

  defineCase(target, 'a sent value of a field that is not declared, or is only shown, changes nothing', async () => {
    const own = await signedIn();
    const more = { id: '7', title: 'x', __proto__: 'x', constructor: 'x', secret: 'x', isPinned: 'on' };
    await own.submit(`${NOTES}6/`, { text: 'note 006', color: 'red', ...more });
    const { body } = await own.open(`${NOTES}6/`);
    expect(body).toMatch(/<h1>note 006<\/h1>/);
    expect(body).not.toMatch(/id="is_pinned"[^>]* checked/);
    expect((await own.open(`${NOTES}7/`)).body).toContain('<h1>note 007</h1>');
  });

  defineCase(target, 'secrets and files reach the resource and may be shown once, but are not recorded', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}add/`)).body);
    const form = new FormData();
    for (const [name, value] of Object.entries({ token, text: 'sealed', color: 'red', secret: 'tall-river-42' }))
      form.set(name, value);
    form.set('attached', new File(['file content'], 'a.txt', { type: 'text/plain' }));
    const shown = await own.postForm(`${NOTES}add/`, form);
    expect([shown.status, shown.body]).toEqual([200, expect.stringContaining('Shown once: tall-river-42file content')]);
    expect((await own.open(ADMIN)).body).toContain('sealed');
    expect((await own.open(ADMIN)).body).not.toMatch(/tall-river-42|file content/);
    form.set('attached', new File([new Uint8Array([0xff, 0x00])], 'a.bin'));
    const binary = await own.postForm(`${NOTES}add/`, form);
    expect([binary.status, binary.body]).toEqual([400, expect.stringContaining('id="attached-error"')]);
  });
}

/** Test cases of actions on one or several entries. */
export function adminActionCases(target: HttpTarget, signedIn: SignedIn): void {
  defineCase(target, 'a dangerous action asks for confirmation and says what is removed', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}20/`)).body);
    const asked = await own.post(`${NOTES}20/actions/remove/`, { token });
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('Removes note 020 for good.')]);
    expect((await own.open(`${NOTES}20/`)).status).toBe(200);
    const done = await own.post(`${NOTES}20/actions/remove/`, hiddenFields(asked.body));
    expect([done.status, done.location]).toEqual([303, '/admin/notes/?done=remove']);
    expect((await own.open(done.location ?? '')).body).toContain('Done: Remove');
    expect((await own.open(`${NOTES}20/`)).status).toBe(404);
    expect((await own.open(ADMIN)).body).toMatch(/Remove<\/td>[^]*note 020/);
    const refused = await own.post(`${NOTES}3/actions/remove/`, { token, confirmed: 'yes' });
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('Note 3 is in use.')]);
  });

  defineCase(target, 'an action asks for its fields and shows its result; a failure is not recorded', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(`${NOTES}21/`)).body);
    const path = `${NOTES}21/actions/seal/`;
    const asked = await own.post(path, { token });
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('type="password"')]);
    const empty = await own.post(path, { token, confirmed: 'yes' });
    expect([empty.status, empty.body]).toEqual([400, expect.stringContaining('id="password-error"')]);
    const failed = await own.post(path, { token, confirmed: 'yes', password: 'fails' });
    expect([failed.status, failed.body]).toEqual([
      200,
      expect.stringMatching(/role="alert">The seal failed[^]*No change/),
    ]);
    const done = await own.post(path, { token, confirmed: 'yes', password: 'tall-river-42' });
    expect([done.status, done.body]).toEqual([200, expect.stringMatching(/role="status">Sealed\.[^]*Seal<\/td>/)]);
    expect(done.body).not.toContain('tall-river-42');
  });

  defineCase(target, 'an action that an entry does not offer is refused', async () => {
    const own = await signedIn();
    const pin = (fields: Fields) => own.post(`${NOTES}22/actions/pin/`, fields);
    const { token = '' } = hiddenFields((await own.open(`${NOTES}22/`)).body);
    expect((await pin({ token })).location).toBe('/admin/notes/22/?done=pin');
    expect((await own.open(`${NOTES}22/`)).body).not.toContain('/actions/pin/');
    expect((await pin({ token })).status).toBe(409);
  });

  defineCase(target, 'an action on chosen entries shows the result for each entry', async () => {
    const own = await signedIn();
    const listed = await own.open(NOTES);
    expect(listed.body).toMatch(/name="row:2"\s+value="on"\s+aria-label="Choose note 002"/);
    const { token = '' } = hiddenFields(listed.body);
    const chosen = { token, action: 'remove', 'row:2': 'on', 'row:3': 'on', 'row:4': 'on', 'row:999': 'on' };
    const asked = await own.post(`${NOTES}actions/`, chosen);
    expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('Removes note 003 for good.')]);
    expect(asked.body).toMatch(/name="confirmed" value="yes"[^]*name="row:2" value="on"[^]*name="row:999" value="on"/);
    const done = await own.post(`${NOTES}actions/`, { ...chosen, confirmed: 'yes' });
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('2 of 4 done')]);
    expect(done.body).toMatch(/note 003<\/a>\s*<\/td>\s*<td>\s*<span class="failing">Note 3 is in use/);
    expect(done.body).toMatch(/<span class="failing">Notes has no entry 999/);
    const left = await Promise.all([2, 3, 4].map(async (id) => (await own.open(`${NOTES}${id}/`)).status));
    expect(left).toEqual([404, 200, 404]);
    const pinned = await own.post(`${NOTES}actions/`, { token, action: 'pin', 'row:30': 'on' });
    expect(pinned.body).toContain('1 of 1 done');
    expect((await own.open(`${NOTES}30/`)).body).toMatch(/History[^]*Pin<\/td>/);
  });

  defineCase(target, 'an action needs at least one chosen entry and accepts at most 200', async () => {
    const own = await signedIn();
    const { token = '' } = hiddenFields((await own.open(NOTES)).body);
    const none = await own.post(`${NOTES}actions/`, { token, action: 'pin' });
    expect([none.status, none.body]).toEqual([400, expect.stringContaining('Choose at least one entry')]);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`row:${index}`, 'on']));
    const refused = await own.post(`${NOTES}actions/`, { token, action: 'pin', ...many });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('Choose at most 200 entries')]);
    expect((await own.post(`${NOTES}actions/`, { token, action: 'seal', 'row:1': 'on' })).status).toBe(404);
  });
}
