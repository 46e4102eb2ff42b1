import type { CatalogueLanguage } from '../wire/words.ts';
import { ADMIN_TEXTS } from './admin-texts.ts';
import { COMPUTE_TEXTS } from './compute-texts.ts';
import { MAP_TEXTS } from './map-texts.ts';
import { SCREEN_TEXTS } from './screen-texts.ts';
import { DATA_TEXTS } from './data-texts.ts';
import { PLACE_TEXTS } from './place-texts.ts';
import { SHEET_TEXTS } from './sheet-texts.ts';

/** Texts of the pages that exist in several languages. `{…}` is a placeholder that `sayIn` fills. */
const CATALOGUE = {
  ...SHEET_TEXTS,
  ...SCREEN_TEXTS,
  ...COMPUTE_TEXTS,
  ...PLACE_TEXTS,
  ...ADMIN_TEXTS,
  ...MAP_TEXTS,
  ...DATA_TEXTS,
  skip: { en: 'Skip to content', hi: 'सीधे सामग्री पर जाएँ' },
  mainMenu: { en: 'Main', hi: 'मुख्य' },
  breadcrumb: { en: 'Breadcrumb', hi: 'पृष्ठ का स्थान' },
  reference: { en: 'API reference', hi: 'एपीआई संदर्भ' },
  catalogue: { en: 'Catalogue', hi: 'सूची' },
  health: { en: 'Health', hi: 'सेवा की स्थिति' },
  mwsTitle: { en: 'Micro-watershed {uid}', hi: 'सूक्ष्म जलग्रहण {uid}' },
  tehsilTitle: { en: 'Report of {tehsil}', hi: '{tehsil} की रिपोर्ट' },
  placeLine: {
    en: 'Tehsil {tehsil}, district {district}, state {state}',
    hi: 'तहसील {tehsil}, ज़िला {district}, राज्य {state}',
  },
  about: {
    en: 'Published data: figures that were computed from satellite images and elevations.',
    hi: 'प्रकाशित जानकारी: उपग्रह चित्रों और ऊँचाई के आँकड़ों से निकाले गए मान।',
  },
  aboutSynthetic: {
    en: 'These figures were computed from synthetic data: the data were generated, not measured. They do not describe a real place.',
    hi: 'ये मान कृत्रिम आँकड़ों से निकाले गए हैं: आँकड़े बनाए गए हैं, मापे नहीं गए। ये किसी वास्तविक स्थान का वर्णन नहीं करते।',
  },
  nothing: {
    en: 'No figures are published yet.',
    hi: 'अभी कोई आँकड़े प्रकाशित नहीं हैं।',
  },
  computedBy: { en: 'They are computed by POST {routes}.', hi: 'आँकड़े इस अनुरोध से निकाले जाते हैं: POST {routes}' },
  area: { en: 'Area', hi: 'क्षेत्रफल' },
  map: { en: 'Map', hi: 'मानचित्र' },
  mapOf: {
    en: 'Outline of micro-watershed {uid} among its neighbours',
    hi: 'पड़ोसी जलग्रहणों के बीच सूक्ष्म जलग्रहण {uid} की सीमा',
  },
  mapCaption: {
    en: 'Filled: {uid}. Lines: neighbouring micro-watersheds of the tehsil.',
    hi: 'भरा हुआ: {uid}। रेखाएँ: तहसील के पड़ोसी सूक्ष्म जलग्रहण।',
  },
  bar: {
    en: 'Scale bar: {length} from west to east, at latitude {at}',
    hi: 'पैमाना पट्टी: अक्षांश {at} पर पश्चिम से पूर्व {length}',
  },
  northUp: { en: 'north is up', hi: 'उत्तर ऊपर है' },
  north: { en: 'N', hi: 'उ' },
  south: { en: 'S', hi: 'द' },
  km: { en: 'km', hi: 'किमी' },
  m: { en: 'm', hi: 'मी' },
  ha: { en: 'ha', hi: 'हे.' },
  neighbours: { en: 'Neighbouring micro-watersheds', hi: 'पड़ोसी सूक्ष्म जलग्रहण' },
  allMws: { en: 'Micro-watersheds of the tehsil', hi: 'तहसील के सूक्ष्म जलग्रहण' },
  noMws: { en: 'No micro-watersheds are known.', hi: 'कोई सूक्ष्म जलग्रहण ज्ञात नहीं है।' },
  mwsCount: { en: 'Micro-watersheds', hi: 'सूक्ष्म जलग्रहण' },
  totals: {
    en: 'Hectares and counts are sums over the micro-watersheds of the published tables; millimetres and weeks are means over them. Land that was not seen is in no figure, and a year has no figures if less than half of the land was seen.',
    hi: 'हेक्टेयर और गिनती प्रकाशित तालिकाओं के सूक्ष्म जलग्रहणों के योग हैं; मिलीमीटर और सप्ताह उनके औसत हैं। जो भूमि देखी नहीं गई वह किसी मान में नहीं है, और यदि आधी से कम भूमि देखी गई हो तो उस वर्ष का कोई मान नहीं है।',
  },
  year: { en: 'Year', hi: 'वर्ष' },
  date: { en: 'Date', hi: 'दिनांक' },
  measure: { en: 'Measure', hi: 'माप' },
  value: { en: 'Value', hi: 'मान' },
  inHectares: { en: 'hectares', hi: 'हेक्टेयर' },
  inPercent: { en: 'percent of the area', hi: 'क्षेत्रफल का प्रतिशत' },
  chartOf: { en: 'Chart: {title}; the table has the numbers', hi: 'आरेख: {title}; अंक तालिका में हैं' },
  sharesIn: { en: 'Shares in {year}; the table has the numbers', hi: '{year} में हिस्से; अंक तालिका में हैं' },
  source: { en: 'Source', hi: 'स्रोत' },
  publishedOn: { en: 'published {day}', hi: 'प्रकाशन {day}' },
  byDate: { en: 'Values by date', hi: 'दिनांक के अनुसार मान' },
  creditsAndLicence: { en: 'Credits and licence', hi: 'आभार और लाइसेंस' },
  credits: { en: 'Credits', hi: 'आभार' },
  licence: { en: 'Licence', hi: 'लाइसेंस' },
  landCover: { en: 'Land cover by year', hi: 'वर्षवार भूमि आवरण' },
  cropping: { en: 'Cropping intensity', hi: 'फसल सघनता' },
  water: { en: 'Surface water by season', hi: 'ऋतुवार सतही जल' },
  waterNote: {
    en: 'Kharif counts all surface water of the year; rabi and zaid count the water that remains in these seasons.',
    hi: 'खरीफ में वर्ष का सारा सतही जल गिना जाता है; रबी और ज़ायद में वह जल जो इन ऋतुओं में भी बना रहता है।',
  },
  ndvi: { en: 'Vegetation index (NDVI)', hi: 'वनस्पति सूचकांक (एनडीवीआई)' },
  ndviNote: {
    en: 'Mean NDVI by fortnight, -1 to 1; gaps are fortnights without a clear image.',
    hi: 'प्रति पखवाड़ा औसत एनडीवीआई, -1 से 1; खाली स्थान वे पखवाड़े हैं जिनका कोई साफ़ चित्र नहीं मिला।',
  },
  ndviImportedNote: {
    en: 'Mean NDVI by fortnight, -1 to 1; gaps are dates without a value.',
    hi: 'प्रति पखवाड़ा औसत एनडीवीआई, -1 से 1; खाली स्थान वे दिनांक हैं जिनका कोई मान नहीं है।',
  },
  terrain: { en: 'Terrain', hi: 'भू-आकृति' },
  slopes: { en: 'Land cover on slopes', hi: 'ढलानों पर भूमि आवरण' },
  plains: { en: 'Land cover on plains', hi: 'मैदानों पर भूमि आवरण' },
  changes: { en: 'Changes of land cover', hi: 'भूमि आवरण में बदलाव' },
  bodies: { en: 'Water bodies', hi: 'जल निकाय' },
  bodyId: { en: 'Water body', hi: 'जल निकाय' },
  name: { en: 'Name', hi: 'नाम' },
  position: { en: 'Latitude, longitude', hi: 'अक्षांश, देशांतर' },
  builtUp: { en: 'Built-up', hi: 'निर्मित क्षेत्र' },
  waterKharif: { en: 'Water in kharif', hi: 'खरीफ में जल' },
  waterRabi: { en: 'Water in kharif and rabi', hi: 'खरीफ और रबी में जल' },
  waterZaid: { en: 'Water in kharif, rabi and zaid', hi: 'खरीफ, रबी और ज़ायद में जल' },
  trees: { en: 'Trees and forest', hi: 'वृक्ष और वन' },
  barren: { en: 'Barren land', hi: 'बंजर भूमि' },
  shrub: { en: 'Shrub and scrub', hi: 'झाड़ियाँ' },
  singleKharif: { en: 'Single crop in kharif', hi: 'एक फसल, खरीफ में' },
  singleOther: { en: 'Single crop outside of kharif', hi: 'एक फसल, खरीफ के बाहर' },
  double: { en: 'Two crops', hi: 'दो फसलें' },
  triple: { en: 'Three crops, or crops all year', hi: 'तीन फसलें या सालभर फसल' },
  intensity: { en: 'Crops per year, 0 to 3', hi: 'प्रति वर्ष फसलें, 0 से 3' },
  intensityPlain: {
    en: 'Crops per year, without land with three crops or crops all year',
    hi: 'प्रति वर्ष फसलें, तीन फसलों या सालभर फसल वाली भूमि के बिना',
  },
  unseen: { en: 'Not seen (in no figure above)', hi: 'देखा नहीं गया (ऊपर के किसी मान में नहीं)' },
  unseenCropable: {
    en: 'Not seen, of the land that is ever cropped',
    hi: 'कभी भी फसल वाली भूमि में से देखा नहीं गया',
  },
  unseenWater: {
    en: 'Not seen, of the land that ever has water',
    hi: 'कभी भी जल वाली भूमि में से देखा नहीं गया',
  },
  unseenChange: {
    en: 'Not seen before or after (in no change)',
    hi: 'पहले या बाद में देखा नहीं गया (किसी बदलाव में नहीं)',
  },
  kharif: { en: 'Kharif (July to October)', hi: 'खरीफ (जुलाई से अक्टूबर)' },
  rabi: { en: 'Rabi (November to February)', hi: 'रबी (नवंबर से फरवरी)' },
  zaid: { en: 'Zaid (March to June)', hi: 'ज़ायद (मार्च से जून)' },
  ndviCrop: { en: 'Crops', hi: 'फसलें' },
  ndviShrub: { en: 'Shrub', hi: 'झाड़ियाँ' },
  ndviTree: { en: 'Trees', hi: 'वृक्ष' },
  cluster0: { en: 'Broadly sloping and hilly', hi: 'अधिकतर ढलानदार और पहाड़ी' },
  cluster1: { en: 'Mostly plains', hi: 'अधिकतर मैदान' },
  cluster2: { en: 'Mostly hills and valleys', hi: 'अधिकतर पहाड़ियाँ और घाटियाँ' },
  cluster3: { en: 'Broad plains and slopes', hi: 'चौड़े मैदान और ढलान' },
  terrainKind: { en: 'Kind of terrain', hi: 'भू-आकृति का प्रकार' },
  hillSlope: { en: 'Hill slopes', hi: 'पहाड़ी ढलान' },
  plain: { en: 'Plains', hi: 'मैदान' },
  ridge: { en: 'Ridges', hi: 'कटक' },
  slopy: { en: 'Slopes', hi: 'ढलान' },
  valley: { en: 'Valleys', hi: 'घाटियाँ' },
  degradation: { en: 'Loss of farmland', hi: 'खेती की भूमि में कमी' },
  afforestation: { en: 'Gain of tree cover', hi: 'वृक्ष आवरण में वृद्धि' },
  deforestation: { en: 'Loss of tree cover', hi: 'वृक्ष आवरण में कमी' },
  urbanization: { en: 'New built-up land', hi: 'नया निर्मित क्षेत्र' },
  cropChange: { en: 'Change of cropping intensity', hi: 'फसल सघनता में बदलाव' },
  badRequest: { en: 'Bad request', hi: 'पता ठीक नहीं है' },
  notFound: { en: 'Not found', hi: 'नहीं मिला' },
  failed: { en: 'Error', hi: 'त्रुटि' },
  badRequestLead: {
    en: 'A part of the address is missing or wrong:',
    hi: 'पते का कोई भाग छूट गया है या ग़लत है:',
  },
  notFoundLead: {
    en: 'Unknown place or micro-watershed:',
    hi: 'अज्ञात स्थान या सूक्ष्म जलग्रहण:',
  },
  failedLead: { en: 'The page could not be created:', hi: 'यह पृष्ठ नहीं बनाया जा सका:' },
  goTo: { en: 'Go to', hi: 'यहाँ जाएँ' },
  firstPage: { en: 'First page', hi: 'पहला पृष्ठ' },
  requestIs: { en: 'Status {status}, request {id}', hi: 'स्थिति {status}, अनुरोध {id}' },
} as const satisfies Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>>;

/** Name of a text. */
export type TextName = keyof typeof CATALOGUE;

/** Returns a text in one language; `parts` replace the placeholders in braces. */
export type Say = (name: TextName, parts?: Readonly<Record<string, string>>) => string;

/** Texts of further languages by their tags. */
export type Translations = Readonly<Record<string, Readonly<Partial<Record<TextName, string>>>>>;

/** Texts of the languages that the catalogue lacks: one file for each, `{ mr: MARATHI }`. */
const TRANSLATIONS: Translations = {};

/** Creates the function that returns the texts of a language. A text that the language lacks is in English. */
export function sayIn(language: string, translations: Translations = TRANSLATIONS): Say {
  return (name, parts = {}) =>
    textOf(name, language, translations).replace(/\{(\w+)\}/g, (whole, part: string) =>
      Object.hasOwn(parts, part) ? (parts[part] ?? '') : whole,
    );
}

function textOf(name: TextName, language: string, translations: Translations): string {
  const own: Readonly<Partial<Record<string, string>>> = CATALOGUE[name];
  return own[language] ?? translations[language]?.[name] ?? CATALOGUE[name].en;
}

/** All texts by name, for checks of the catalogue. */
export const ALL_TEXTS: Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>> = CATALOGUE;

const NAMES: ReadonlyMap<string, TextName> = new Map(
  Object.entries(CATALOGUE).map(([name, { en }]) => [en, name as TextName]),
);

/** A title of data, such as that of a class, in a language; undefined if the catalogue has no such text. */
export function translated(title: string, language: string): string | undefined {
  const name = NAMES.get(title);
  return name === undefined || language === 'en' ? undefined : sayIn(language)(name);
}
