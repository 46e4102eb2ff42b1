import { expect, it } from 'vitest';
import { spreadsheetColumn } from './sheet-columns.ts';

it.each([
  ['uid', 'UID'],
  [' mws uid ', 'MWS UID'],
  ['mws_id', 'mws_id'],
  ['swb_uid', 'SWB_UID'],
  ['et_in_mm_2017-2018', 'ET_in_mm_2017-2018'],
  ['precipitation_kharif_in_mm_2017-2018', 'precipitation_kharif_in_mm_2017-2018'],
  ['soil and water conservation_count_2018', 'Soil and water conservation_count_2018'],
  ['principle_aq_banded gneissic complex_percent', 'principle_aq_Banded Gneissic Complex_percent'],
  ['cropping_intensity_unit_less_2017-2018', 'cropping_intensity_unit_less_2017-2018'],
  ['Sum_of_theirs', 'Sum_of_theirs'],
])('writes %s as %s in a spreadsheet; both are equal in lower case', (name, shown) => {
  expect(spreadsheetColumn(name)).toBe(shown);
  expect(shown.toLowerCase()).toBe(name.trim().toLowerCase());
});
