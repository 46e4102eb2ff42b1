import type { Language } from '../wire/words.ts';

/** Texts of the interactive maps, which their script gets with the data of a page. */
export const MAP_TEXTS = {
  mapOpen: { en: 'Open the interactive map', hi: 'इंटरैक्टिव मानचित्र खोलें' },
  mapLoading: { en: 'The map is loading.', hi: 'मानचित्र खुल रहा है।' },
  mapNotOpened: {
    en: 'The map could not be opened ({error}). Check the connection and try again.',
    hi: 'मानचित्र नहीं खुल सका ({error})। कनेक्शन जाँचें और फिर कोशिश करें।',
  },
  mapPartFailed: {
    en: 'A part of the map could not be read ({error}). Move the map to try again.',
    hi: 'मानचित्र का एक भाग नहीं पढ़ा जा सका ({error})। फिर कोशिश करने के लिए मानचित्र को खिसकाएँ।',
  },
  mapLabel: {
    en: 'Map: {title}. Arrow keys move it, + and - zoom, Enter reads the point in its middle.',
    hi: 'मानचित्र: {title}। तीर कुंजियाँ इसे खिसकाती हैं, + और - आकार बदलते हैं, Enter इसके बीच का बिंदु पढ़ता है।',
  },
  mapZoomIn: { en: 'Zoom in', hi: 'बड़ा करें' },
  mapZoomOut: { en: 'Zoom out', hi: 'छोटा करें' },
  mapLink: { en: 'Link to this view', hi: 'इस दृश्य का लिंक' },
  mapOpacity: { en: 'Opacity of the layer', hi: 'परत की अपारदर्शिता' },
  mapLines: { en: 'Lines of latitude and longitude', hi: 'अक्षांश और देशांतर रेखाएँ' },
  mapNorth: { en: 'N', hi: 'उ' },
  mapSouth: { en: 'S', hi: 'द' },
  mapEast: { en: 'E', hi: 'पू' },
  mapWest: { en: 'W', hi: 'प' },
  mapBackground: { en: 'Background', hi: 'पृष्ठभूमि' },
  mapNoBackground: { en: 'No background', hi: 'कोई पृष्ठभूमि नहीं' },
  mapCompare: { en: 'Compare {year} with', hi: '{year} की तुलना करें' },
  mapNoOther: { en: 'No other year', hi: 'कोई अन्य वर्ष नहीं' },
  mapSwipe: { en: 'Place of the line', hi: 'रेखा का स्थान' },
  mapChoosePoint: { en: 'Choose a point of the map to read it.', hi: 'पढ़ने के लिए मानचित्र का कोई बिंदु चुनें।' },
  mapAtPoint: { en: 'At this point', hi: 'इस बिंदु पर' },
  mapClass: { en: 'Class', hi: 'वर्ग' },
  mapClassIn: { en: 'Class in {year}', hi: '{year} में वर्ग' },
  mapNoClass: { en: 'No class', hi: 'कोई वर्ग नहीं' },
  mapValue: { en: 'Value', hi: 'मान' },
  mapValueIn: { en: 'Value in {year}', hi: '{year} में मान' },
  mapNoValue: { en: 'No value', hi: 'कोई मान नहीं' },
  mapConfidence: { en: 'Confidence', hi: 'विश्वास स्तर' },
  mapUid: { en: 'Micro-watershed', hi: 'सूक्ष्म जलग्रहण' },
  mapPlace: { en: 'Place', hi: 'स्थान' },
  mapSpokenConfidence: { en: 'confidence {percent} %', hi: 'विश्वास स्तर {percent} %' },
  mapSpokenUid: { en: 'micro-watershed {uid}', hi: 'सूक्ष्म जलग्रहण {uid}' },
  mapFigures: { en: 'Figures of this area', hi: 'इस क्षेत्र के मान' },
  mapFiguresOf: { en: 'Figures of micro-watershed {uid}', hi: 'सूक्ष्म जलग्रहण {uid} के मान' },
  mapColourBy: { en: 'Colour the areas by', hi: 'क्षेत्रों में रंग इस आधार पर भरें' },
  mapOutlinesOnly: { en: 'Outlines only', hi: 'केवल सीमाएँ' },
  mapRange: { en: '{from} to {to}: {count} areas', hi: '{from} से {to}: {count} क्षेत्र' },
  mapTable: { en: 'These figures as a table', hi: 'यही मान तालिका में' },
  mapArea: { en: 'Area', hi: 'क्षेत्र' },
  mapOfPlaces: { en: 'places with published layers', hi: 'प्रकाशित परतों वाले स्थान' },
  mapChoosePlace: {
    en: 'Choose a place of the map to see its layers. A circle stands for several places; choose it to see them.',
    hi: 'परतें देखने के लिए मानचित्र पर कोई स्थान चुनें। एक वृत्त कई स्थानों को दिखाता है; उन्हें देखने के लिए उसे चुनें।',
  },
  mapNoPlace: { en: 'No layer is published here.', hi: 'यहाँ कोई परत प्रकाशित नहीं है।' },
  mapLayers: { en: 'Published layers of a place', hi: 'किसी स्थान की प्रकाशित परतें' },
  mapLayerRange: { en: '{from} to {to} layers', hi: '{from} से {to} परतें' },
  mapLayerCount: { en: 'layers: {count}', hi: 'परतें: {count}' },
  mapMore: { en: 'and {count} more', hi: 'और {count}' },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Texts of a map in one language; `{...}` are placeholders that the script fills. */
export type MapTexts = Readonly<Record<keyof typeof MAP_TEXTS, string>>;

const IN: Readonly<Record<Language, MapTexts>> = { en: textsIn('en'), hi: textsIn('hi') };

function textsIn(language: Language): MapTexts {
  const entries = Object.entries(MAP_TEXTS).map(([name, text]) => [name, text[language]] as const);
  return Object.fromEntries(entries) as MapTexts;
}

/** Returns the texts of maps in a language. */
export const mapTexts = (language: Language): MapTexts => IN[language];
