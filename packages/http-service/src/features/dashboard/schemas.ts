import { MAX_KEY_NAME } from '@headwater/identity';
import { z } from 'zod';
import { textOrNone } from '../../wire/text.ts';
import { PlacesQuery } from '../discovery/schemas/queries.ts';
import { formToken, ScreenQuery } from '../sign-in/schemas.ts';

const keyName = textOrNone(MAX_KEY_NAME).default('').describe('Name of the new key; default: a name with the time.');
const keyDays = textOrNone(20).default('').describe('Days until the new key expires; default 3000.');

/** Query of the dashboard: texts with which its form is filled. */
export const DashboardQuery = ScreenQuery.extend({ name: keyName, expiry_days: keyDays });

/** Fields of the form that makes a key. */
export const KeyForm = z.object({ name: keyName, expiry_days: keyDays, token: formToken }).meta({ id: 'KeyForm' });

/** Fields of the form that revokes a key. */
export const KeyEndForm = z
  .object({ key: textOrNone(200).default('').describe('Masked text of the key.'), token: formToken })
  .meta({ id: 'KeyEndForm' });

const password = textOrNone(1024).default('');

/** Fields of the form that changes the own password. */
export const PasswordForm = z
  .object({
    old_password: password.describe('The present password.'),
    new_password: password.describe('The new password.'),
    confirm_password: password.describe('The new password again.'),
    token: formToken,
  })
  .meta({ id: 'PasswordForm' });

/** Query of the page of downloads. */
export const DownloadsQuery = ScreenQuery.extend({ box: PlacesQuery.shape.box, page: PlacesQuery.shape.page });

const computeText = textOrNone(2000);
const computeFields = {
  state: computeText.default('').describe('Name of the state.'),
  district: computeText.default('').describe('Name of the district.'),
  tehsil: computeText.default('').describe('Name of the tehsil.'),
  layer: computeText.default('').describe('Name of the computation.'),
};

/** Query of the form that starts a computation; further members are parameters of the layer. */
export const ComputeFormQuery = ScreenQuery.extend({
  q: textOrNone(100).default('').describe('Part of the name of a state, district or tehsil.'),
  box: PlacesQuery.shape.box,
  ...computeFields,
  check: textOrNone(10)
    .default('')
    .describe('If set, the page states the effects of the start; `estimate`: with an estimate of the work.'),
}).catchall(computeText);

/** Fields of the form that starts a computation; further members are parameters of the layer. */
export const ComputeForm = z
  .object({
    ...computeFields,
    lang: ScreenQuery.shape.lang,
    with_dependencies: textOrNone(10).default('').describe('true: missing layers are computed first.'),
    token: formToken,
  })
  .catchall(computeText)
  .meta({ id: 'ComputeForm' });
