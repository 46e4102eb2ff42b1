/** Columns with capital letters in existing spreadsheets. */
const SINGLE_COLUMNS = [
  'UID',
  'MWS UID',
  'Village IDs',
  'Village Details',
  'SWB_UID',
  'Waterbodies_name',
  'Latitude',
  'Longitude',
  'state_census_ID',
  'dist_census_ID',
  'block_census_ID',
  'total_SC_population_count',
  'total_ST_population_count',
  'SC_percent',
  'ST_percent',
  'Company_Name',
  'ADDRESS',
  'LOCATION T',
  ...['Alluvium', 'Banded Gneissic Complex', 'Basalt', 'Charnockite', 'Gneiss', 'Granite', 'Intrusive', 'Khondalite']
    .concat(['Laterite', 'Limestone', 'Quartzite', 'Sandstone', 'Schist', 'Shale', 'None'])
    .map((rock) => `principle_aq_${rock}_percent`),
];

/** Yearly columns with capital letters, without the year. */
const YEARLY_COLUMNS = [
  'ET_in_mm_',
  'RunOff_in_mm_',
  'G_in_mm_',
  'DeltaG_in_mm_',
  'Precipitation_in_mm_',
  'WellDepth_in_m_',
  'No_Drought_in_weeks_',
  'Mild_in_weeks_',
  'Moderate_in_weeks_',
  'Severe_in_weeks_',
  'Soil and water conservation_count_',
  'Land restoration_count_',
  'Plantations_count_',
  'Irrigation on farms_count_',
  'Other farm works_count_',
  'Off-farm livelihood assets_count_',
  'Community assets_count_',
];

const SPELLING = new Map([...SINGLE_COLUMNS, ...YEARLY_COLUMNS].map((name) => [name.toLowerCase(), name]));
/** A column name that ends with a year (`2017`) or an agricultural year (`2017-2018`). */
const OF_YEAR = /^(?<before>.*_)(?<year>\d{4}(?:-\d{4})?)$/;

/** Name of a column in a spreadsheet. Existing spreadsheets have a different spelling of some names. */
export function spreadsheetColumn(name: string): string {
  const known = name.trim();
  const { before, year } = OF_YEAR.exec(known)?.groups ?? {};
  const spelled = SPELLING.get((before ?? known).toLowerCase());
  return spelled === undefined ? known : `${spelled}${year ?? ''}`;
}
