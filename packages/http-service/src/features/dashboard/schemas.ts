import { MAX_KEY_NAME } from '@headwater/identity';
import { z } from 'zod';
import { sentences } from '../../wire/sentences.ts';
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

/** Fields of the form with which users change their own password. */
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

/** Value of the field `check` for the last page before the start. */
export const CHECK = '1';
/** Value of the field `check` of a form that estimates the work. */
export const ESTIMATE = 'estimate';

const computeText = textOrNone(2000);
const computeFields = {
  state: computeText.default('').describe('Name of the state.'),
  district: computeText.default('').describe('Name of the district.'),
  tehsil: computeText.default('').describe('Name of the tehsil.'),
  layer: computeText.default('').describe('Name of the computation.'),
};

/** Query of the form that starts a computation, with parameters of the layer. */
export const ComputeFormQuery = ScreenQuery.extend({
  q: textOrNone(100).default('').describe('Part of the name of a state, district or tehsil.'),
  box: PlacesQuery.shape.box,
  ...computeFields,
  check: z
    .enum(['', CHECK], sentences.notOneOf([CHECK]))
    .default('')
    .describe('`1`: shows the last page of the form, which states what will be computed; nothing is started.'),
}).catchall(computeText);

/** Fields of the form that starts or estimates a computation, with parameters of the layer. */
export const ComputeForm = z
  .object({
    ...computeFields,
    lang: ScreenQuery.shape.lang,
    check: z
      .enum(['', CHECK, ESTIMATE], sentences.notOneOf([CHECK, ESTIMATE]))
      .default('')
      .describe('`estimate`: the page shows an estimate of the work, and nothing is started.'),
    with_dependencies: textOrNone(10).default('').describe('true: missing layers are computed first.'),
    token: formToken,
  })
  .catchall(computeText)
  .meta({ id: 'ComputeForm' });
