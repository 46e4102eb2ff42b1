import type { CatalogueLanguage } from '../wire/words.ts';

/** Texts of this repository's pipelines. The English text is the key of the translation. */
export const PIPELINE_TEXTS = {
  lulcByYear: { en: 'Land use and land cover by year', hi: 'वर्षवार भूमि उपयोग और भूमि आवरण' },
  lulcByYearText: {
    en: 'Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.',
    hi: 'तहसील के भूमि उपयोग और भूमि आवरण की गणना करता है: हर जल वर्ष का एक रास्टर, और हर सूक्ष्म जलग्रहण में वर्गों के क्षेत्रफल।',
  },
  villageBoundaries: { en: 'Village boundaries', hi: 'गाँवों की सीमाएँ' },
  villageBoundariesText: {
    en: 'Publishes the villages of a tehsil as a layer, or the tehsil itself if no village is known.',
    hi: 'तहसील के गाँवों को परत के रूप में प्रकाशित करता है, या कोई गाँव ज्ञात न हो तो स्वयं तहसील को।',
  },
  mwsLayerText: {
    en: 'Publishes the micro-watersheds of a tehsil as a layer.',
    hi: 'तहसील के सूक्ष्म जलग्रहणों को परत के रूप में प्रकाशित करता है।',
  },
  mwsCentres: { en: 'Centres of micro-watersheds', hi: 'सूक्ष्म जलग्रहणों के केंद्र' },
  mwsCentresText: {
    en: 'Publishes the centre of area of each micro-watershed of a tehsil.',
    hi: 'तहसील के हर सूक्ष्म जलग्रहण का क्षेत्र-केंद्र प्रकाशित करता है।',
  },
  lulcAreas: { en: 'Land-cover areas by micro-watershed', hi: 'सूक्ष्म जलग्रहणवार भूमि आवरण के क्षेत्रफल' },
  lulcAreasText: {
    en: 'Computes the area of each land-cover class per micro-watershed from the published yearly rasters.',
    hi: 'प्रकाशित वार्षिक रास्टरों से हर सूक्ष्म जलग्रहण में भूमि आवरण के हर वर्ग का क्षेत्रफल निकालता है।',
  },
  croppingText: {
    en: 'Computes the number of crops per year on land with a crop in any year, by micro-watershed.',
    hi: 'जिस भूमि पर कभी फसल हुई हो, उस पर प्रति वर्ष फसलों की संख्या सूक्ष्म जलग्रहणवार निकालता है।',
  },
  changesText: {
    en: 'Compares the first three years of land cover (all but the last if there are fewer than four) with the later years, as five rasters of transitions.',
    hi: 'भूमि आवरण के पहले तीन वर्षों (चार से कम वर्ष हों तो अंतिम को छोड़ सभी) की बाद के वर्षों से तुलना करता है: बदलावों के पाँच रास्टर।',
  },
  changeAreas: { en: 'Areas of change by micro-watershed', hi: 'सूक्ष्म जलग्रहणवार बदलाव के क्षेत्रफल' },
  changeAreasText: {
    en: 'Computes the area of each change of land cover per micro-watershed from the published change rasters.',
    hi: 'प्रकाशित बदलाव-रास्टरों से हर सूक्ष्म जलग्रहण में भूमि आवरण के हर बदलाव का क्षेत्रफल निकालता है।',
  },
  waterBodies: { en: 'Water bodies by season', hi: 'ऋतुवार जल निकाय' },
  waterBodiesText: {
    en: 'Computes the water bodies of a tehsil as polygons, with the share of each body that has water, by season and year.',
    hi: 'तहसील के जल निकायों को बहुभुजों के रूप में निकालता है, और ऋतु व वर्ष के अनुसार हर जल निकाय का वह हिस्सा जिसमें जल है।',
  },
  cropGrid: { en: 'Crops on a grid of 1 km', hi: '1 किमी की ग्रिड पर फसलें' },
  cropGridText: {
    en: 'Computes, for each cell of a grid of about 1 km over a tehsil, the hectares with one, two and three crops in a year, from published land cover.',
    hi: 'प्रकाशित भूमि आवरण से, तहसील पर लगभग 1 किमी की ग्रिड के हर खाने में, एक वर्ष में एक, दो और तीन फसलों वाली भूमि का क्षेत्रफल (हेक्टेयर) निकालता है।',
  },
  ndviByFortnight: { en: 'Vegetation index (NDVI) by fortnight', hi: 'पखवाड़ेवार वनस्पति सूचकांक (एनडीवीआई)' },
  ndviByFortnightText: {
    en: 'Computes the mean NDVI of crops, shrub and trees by micro-watershed and fortnight.',
    hi: 'फसलों, झाड़ियों और वृक्षों का औसत एनडीवीआई सूक्ष्म जलग्रहण और पखवाड़े के अनुसार निकालता है।',
  },
  slope: { en: 'Slope', hi: 'ढाल' },
  slopeText: {
    en: 'Computes the slope of the land of a tehsil in percent from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील की भूमि की ढाल प्रतिशत में निकालता है।',
  },
  landforms: { en: 'Landforms', hi: 'भू-आकृतियाँ' },
  landformsText: {
    en: 'Computes the landforms of a tehsil, eleven classes by topographic position and slope, from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील की भू-आकृतियाँ निकालता है: स्थलाकृतिक स्थिति और ढाल के ग्यारह वर्ग।',
  },
  landformsByMws: { en: 'Landforms by micro-watershed', hi: 'सूक्ष्म जलग्रहणवार भू-आकृतियाँ' },
  landformsByMwsText: {
    en: 'Computes the shares of landforms and the terrain cluster of each micro-watershed from the terrain raster, and its elevations from the digital elevation model.',
    hi: 'भू-आकृति रास्टर से हर सूक्ष्म जलग्रहण में भू-आकृतियों के हिस्से और उसका भू-आकृति समूह, और डिजिटल उच्चता मॉडल से उसकी ऊँचाइयाँ निकालता है।',
  },
  mwsDrainage: { en: 'Drainage between micro-watersheds', hi: 'सूक्ष्म जलग्रहणों के बीच जल निकास' },
  mwsDrainageText: {
    en: 'Computes the drainage between the micro-watersheds of a tehsil from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील के सूक्ष्म जलग्रहणों के बीच जल निकास निकालता है।',
  },
  lulcOnSlopes: { en: 'Land cover on slopes by micro-watershed', hi: 'सूक्ष्म जलग्रहणवार ढलानों पर भूमि आवरण' },
  lulcOnSlopesText: {
    en: 'Computes the land cover on the slopes of each micro-watershed from the terrain raster and the published land cover of years.',
    hi: 'भू-आकृति रास्टर और वर्षों के प्रकाशित भूमि आवरण से हर सूक्ष्म जलग्रहण की ढलानों पर भूमि आवरण निकालता है।',
  },
  lulcOnPlains: { en: 'Land cover on plains by micro-watershed', hi: 'सूक्ष्म जलग्रहणवार मैदानों पर भूमि आवरण' },
  lulcOnPlainsText: {
    en: 'Computes the land cover on the plains of each micro-watershed from the terrain raster and the published land cover of years.',
    hi: 'भू-आकृति रास्टर और वर्षों के प्रकाशित भूमि आवरण से हर सूक्ष्म जलग्रहण के मैदानों पर भूमि आवरण निकालता है।',
  },
  streamOrders: { en: 'Stream orders', hi: 'धाराओं की श्रेणियाँ' },
  streamOrdersText: {
    en: 'Computes the Strahler orders of the streams of a tehsil from a digital elevation model, and their shares of the area of each micro-watershed.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील की धाराओं की स्ट्राहलर श्रेणियाँ, और हर सूक्ष्म जलग्रहण के क्षेत्रफल में उनके हिस्से निकालता है।',
  },
  drainageLines: { en: 'Drainage lines and density', hi: 'जल निकास रेखाएँ और घनत्व' },
  drainageLinesText: {
    en: 'Computes the drainage lines of a tehsil and their density in each micro-watershed from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील की जल निकास रेखाएँ और हर सूक्ष्म जलग्रहण में उनका घनत्व निकालता है।',
  },
  catchmentArea: { en: 'Catchment area', hi: 'जलग्रहण क्षेत्र' },
  catchmentAreaText: {
    en: 'Computes the land that drains through each pixel of a tehsil, in hectares, from a digital elevation model: flow accumulation in one direction.',
    hi: 'डिजिटल उच्चता मॉडल से वह भूमि हेक्टेयर में निकालता है जिसका जल तहसील के हर पिक्सेल से होकर बहता है: एक दिशा में प्रवाह संचय।',
  },
  streamDistance: { en: 'Distance to the nearest stream', hi: 'निकटतम धारा की दूरी' },
  streamDistanceText: {
    en: 'Computes the straight distance of each pixel of a tehsil to the nearest drainage line, in metres, from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील के हर पिक्सेल की निकटतम जल निकास रेखा से सीधी दूरी मीटर में निकालता है।',
  },
  depressions: { en: 'Natural depressions', hi: 'प्राकृतिक गड्ढे' },
  depressionsText: {
    en: 'Computes the depth of the depressions of a tehsil below their spill level, in metres, from a digital elevation model.',
    hi: 'डिजिटल उच्चता मॉडल से तहसील के गड्ढों की छलकाव-स्तर से नीचे की गहराई मीटर में निकालता है।',
  },
  layerAccuracy: { en: 'Accuracy of a layer', hi: 'परत की सटीकता' },
  layerAccuracyText: {
    en: 'Scores a published raster layer of classes against labels, and publishes the figures as a table of its Item.',
    hi: 'वर्गों की प्रकाशित रास्टर परत को लेबलों से जाँचता है, और मान उसके आइटम की तालिका के रूप में प्रकाशित करता है।',
  },
  themeLandCover: { en: 'Land cover', hi: 'भूमि आवरण' },
  themeBoundaries: { en: 'Boundaries', hi: 'सीमाएँ' },
  themeWater: { en: 'Water', hi: 'जल' },
  themeVegetation: { en: 'Vegetation', hi: 'वनस्पति' },
  themeStreams: { en: 'Streams and drainage', hi: 'धाराएँ और जल निकास' },
  themeQuality: { en: 'Quality', hi: 'गुणवत्ता' },
  satelliteImages: { en: 'Satellite images (Sentinel-2)', hi: 'उपग्रह चित्र (सेंटिनल-2)' },
  boundariesOfDirectory: { en: 'Boundaries of the place directory', hi: 'स्थान-सूची की सीमाएँ' },
  elevationModel: { en: 'Digital elevation model', hi: 'डिजिटल उच्चता मॉडल' },
  ownLabels: { en: 'Your own labels of classes', hi: 'वर्गों के आपके अपने लेबल' },
  layerNameParameter: { en: 'Layer name', hi: 'परत का नाम' },
  labelsParameter: { en: 'Labels', hi: 'लेबल' },
  labelProperty: { en: 'Label property', hi: 'लेबल का गुण' },
  polygonsParameter: { en: 'Polygons', hi: 'बहुभुज' },
  startYearParameter: { en: 'Start year', hi: 'पहला वर्ष' },
  endYearParameter: { en: 'End year', hi: 'अंतिम वर्ष' },
  accountParameter: { en: 'Eo account id', hi: 'पृथ्वी-प्रेक्षण खाते की आईडी' },
  workspaceHint: {
    en: 'Workspace of the published raster layer, e.g. LULC_level_3.',
    hi: 'प्रकाशित रास्टर परत का कार्यक्षेत्र, जैसे LULC_level_3।',
  },
  layerNameHint: {
    en: 'Name of the published raster layer, e.g. LULC_21_22_sample_district_sample_tehsil_level_3. To find both names, look at the address of the asset `data` of its Item: it contains `CoverageId=WORKSPACE:NAME`.',
    hi: 'प्रकाशित रास्टर परत का नाम, जैसे LULC_21_22_sample_district_sample_tehsil_level_3। दोनों नाम उसके आइटम की फ़ाइल `data` के पते में हैं: उसमें `CoverageId=WORKSPACE:NAME` होता है।',
  },
  labelsHint: {
    en: "GeoJSON FeatureCollection (longitude, latitude) of points or polygons, each with the property `label`: a class of the legend. At most 20,000 features. The whole body must not exceed the service's limit (1 MiB unless the operator changes it); a larger body gets status 413. Use `npm run validate` for more labels. Equal labels at one place count once.",
    hi: 'बिंदुओं या बहुभुजों का GeoJSON FeatureCollection (देशांतर, अक्षांश), हर एक में गुण `label`: संकेत-सूची का एक वर्ग। अधिक से अधिक 20,000 फ़ीचर। पूरा अनुरोध सेवा की सीमा (संचालक न बदले तो 1 MiB) से बड़ा न हो; बड़े अनुरोध पर स्थिति 413 मिलती है। अधिक लेबलों के लिए `npm run validate` चलाएँ। एक स्थान के समान लेबल एक बार गिने जाते हैं।',
  },
  labelPropertyHint: { en: 'Property that holds the label; default: label.', hi: 'वह गुण जिसमें लेबल है; सामान्यतः label।' },
  legendHint: {
    en: 'Mapping of values of the layer and of labels to common classes: {"classes": [{"name", "title", "map": [values], "reference": [labels]}], "nodata": {"map": [], "reference": []}}. Default: the classes of the layer; a label is then the value, name or title of a class in `classification:classes` of its Item. Samples whose label is in no class are left out and counted; if none is left, the run fails.',
    hi: 'परत के मानों और लेबलों का साझा वर्गों से मेल: {"classes": [{"name", "title", "map": [values], "reference": [labels]}], "nodata": {"map": [], "reference": []}}। सामान्यतः: परत के वर्ग; तब लेबल उसके आइटम के `classification:classes` के किसी वर्ग का मान, नाम या शीर्षक होता है। जिन नमूनों का लेबल किसी वर्ग में नहीं है वे छोड़े और गिने जाते हैं; यदि कोई न बचे तो गणना विफल होती है।',
  },
  polygonsHint: {
    en: 'majority (default): a polygon is one sample, with the most frequent class of its pixels. pixels: each pixel is a sample.',
    hi: 'majority (सामान्यतः): एक बहुभुज एक नमूना है, उसके पिक्सेलों में सबसे अधिक बार आए वर्ग के साथ। pixels: हर पिक्सेल एक नमूना है।',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>>;
