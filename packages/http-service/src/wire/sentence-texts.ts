import type { CatalogueLanguage } from './words.ts';

/**
 * Sentences about refused forms. Pages look up the translation of a sentence of the API by its English text, so the
 * texts here must equal these sentences. `{…}` matches any text.
 */
export const SENTENCE_TEXTS = {
  fieldRequired: { en: 'This field is required.', hi: 'यह भरना आवश्यक है।' },
  fieldNull: { en: 'This field may not be null.', hi: 'यह मान खाली नहीं हो सकता।' },
  fieldBlank: { en: 'This field may not be blank.', hi: 'यह खाली नहीं हो सकता।' },
  notValidString: { en: 'Not a valid string.', hi: 'यह मान्य पाठ नहीं है।' },
  notValidInteger: { en: 'A valid integer is required.', hi: 'पूर्ण संख्या लिखें।' },
  notValidNumber: { en: 'A valid number is required.', hi: 'संख्या लिखें।' },
  notTrueOrFalse: { en: 'Must be true or false.', hi: 'true या false लिखें।' },
  listRequired: { en: 'A list is required.', hi: 'सूची आवश्यक है।' },
  objectRequired: { en: 'An object is required.', hi: 'वस्तु (object) आवश्यक है।' },
  jsonObjectRequired: { en: 'A JSON object is required.', hi: 'JSON वस्तु आवश्यक है।' },
  notJsonText: {
    en: 'This text begins like a JSON object but is not valid JSON; send the object itself, or its JSON text.',
    hi: 'यह पाठ JSON वस्तु जैसा शुरू होता है, पर मान्य JSON नहीं है; वस्तु या उसका JSON पाठ भेजें।',
  },
  noStyles: {
    en: 'An upload accepts no style files; leave styles out, or run the import command on the server.',
    hi: 'अपलोड में शैली फ़ाइलें नहीं ली जातीं; styles छोड़ दें, या सर्वर पर आयात का आदेश चलाएँ।',
  },
  userNameTaken: { en: 'A user with that username already exists.', hi: 'इस नाम का उपयोगकर्ता पहले से है।' },
  presentPasswordWrong: { en: 'Current password is incorrect.', hi: 'वर्तमान पासवर्ड ग़लत है।' },
  passwordsDoNotMatch: { en: "Password fields didn't match.", hi: 'दोनों पासवर्ड अलग हैं।' },
  newPasswordsDoNotMatch: { en: "New password fields didn't match.", hi: 'दोनों नए पासवर्ड अलग हैं।' },
  noPermissionToDo: { en: 'You do not have permission to perform this action.', hi: 'आपको यह करने की अनुमति नहीं है।' },
  activateState: { en: 'Activate its state first.', hi: 'पहले इसके राज्य को सक्रिय करें।' },
  activateStateAndDistrict: { en: 'Activate its state and district first.', hi: 'पहले इसके राज्य और ज़िले को सक्रिय करें।' },
  mustBeOneOf: { en: 'Must be one of {values}.', hi: 'इनमें से एक चुनें: {values}।' },
  mustBeOr: { en: 'Must be {one} or {other}.', hi: '{one} या {other} लिखें।' },
  mustBeIntegerWithin: {
    en: 'Must be an integer from {least} to {most}.',
    hi: '{least} से {most} तक की पूर्ण संख्या लिखें।',
  },
  mustBeAtLeast: { en: 'Must be at least {least}.', hi: 'कम से कम {least} लिखें।' },
  mustBeAtMost: { en: 'Must be at most {most}.', hi: 'अधिक से अधिक {most} लिखें।' },
  atMostCharacters: {
    en: 'Ensure this field has no more than {limit} characters.',
    hi: 'अधिक से अधिक {limit} अक्षर लिखें।',
  },
  hasMoreCharacters: { en: 'has more than {limit} characters.', hi: '{limit} से अधिक अक्षर हैं।' },
  atMost200: { en: 'At most 200 characters.', hi: 'अधिक से अधिक 200 अक्षर।' },
  notStorableCharacters: {
    en: 'Characters that cannot be stored (NUL or a lone surrogate) are not allowed.',
    hi: 'ऐसे अक्षर (NUL या अधूरे यूनिकोड) नहीं सहेजे जा सकते।',
  },
  nullCharacters: { en: 'Null characters are not allowed.', hi: 'शून्य (NUL) अक्षर नहीं लिए जाते।' },
  controlCharacters: {
    en: 'Control characters, characters that reverse or hide text, and invalid Unicode are not allowed.',
    hi: 'नियंत्रण अक्षर, पाठ उलटने या छिपाने वाले अक्षर और अमान्य यूनिकोड नहीं लिए जाते।',
  },
  nameIsEmpty: { en: 'is empty; give the name.', hi: 'खाली है; नाम लिखें।' },
  nameHasControls: {
    en: 'has control characters; give the name as text.',
    hi: 'इसमें नियंत्रण अक्षर हैं; नाम पाठ के रूप में लिखें।',
  },
  isEmptyText: { en: 'is empty.', hi: 'खाली है।' },
  isBlankName: { en: 'is blank; give a name', hi: 'खाली है; नाम लिखें' },
  invisibleName: {
    en: 'The name has characters that are not visible; type it without them.',
    hi: 'नाम में न दिखने वाले अक्षर हैं; उनके बिना लिखें।',
  },
  severalScripts: {
    en: 'The name has letters of several scripts; use letters of one script.',
    hi: 'नाम में कई लिपियों के अक्षर हैं; एक ही लिपि के अक्षर लिखें।',
  },
  validUserName: {
    en: 'Enter a valid username: letters, digits and @ . + - _ only.',
    hi: 'मान्य उपयोगकर्ता नाम लिखें: केवल अक्षर, अंक और @ . + - _।',
  },
  validEmail: {
    en: 'Enter a valid email address, like name@example.org.',
    hi: 'मान्य ई-मेल पता लिखें, जैसे name@example.org।',
  },
  wholeYears: { en: 'Give whole years from 0 to {most}.', hi: '0 से {most} तक पूरे वर्ष लिखें।' },
  isTaken: { en: 'is taken; choose another one.', hi: 'पहले से लिया जा चुका है; दूसरा चुनें।' },
  projectNameTaken: { en: 'is the name of another project.', hi: 'यह किसी दूसरी परियोजना का नाम है।' },
  organizationNameTaken: { en: 'is the name of another organisation.', hi: 'यह किसी दूसरी संस्था का नाम है।' },
  organizationUnknown: { en: 'Organization not found.', hi: 'यह संस्था नहीं मिली।' },
  passwordTooShort: {
    en: 'This password is too short; use at least {least} characters.',
    hi: 'यह पासवर्ड बहुत छोटा है; कम से कम {least} अक्षर रखें।',
  },
  passwordTooLong: {
    en: 'This password is too long; use at most {most} characters.',
    hi: 'यह पासवर्ड बहुत लंबा है; अधिक से अधिक {most} अक्षर रखें।',
  },
  passwordNotText: {
    en: 'This password is not valid Unicode text; type it again.',
    hi: 'यह पासवर्ड मान्य यूनिकोड पाठ नहीं है; फिर से लिखें।',
  },
  passwordNumeric: { en: 'This password is entirely numeric; add letters.', hi: 'इस पासवर्ड में केवल अंक हैं; अक्षर जोड़ें।' },
  passwordCommon: {
    en: 'This password is too common; choose a rarer one.',
    hi: 'यह पासवर्ड बहुत प्रचलित है; कम प्रचलित चुनें।',
  },
  passwordLikeName: {
    en: 'This password is too similar to the username; choose another one.',
    hi: 'यह पासवर्ड उपयोगकर्ता नाम से बहुत मिलता है; दूसरा चुनें।',
  },
  passwordLikeEmail: {
    en: 'This password is too similar to the email address; choose another one.',
    hi: 'यह पासवर्ड ई-मेल पते से बहुत मिलता है; दूसरा चुनें।',
  },
  passwordLikeFirstName: {
    en: 'This password is too similar to the first name; choose another one.',
    hi: 'यह पासवर्ड नाम से बहुत मिलता है; दूसरा चुनें।',
  },
  passwordLikeLastName: {
    en: 'This password is too similar to the last name; choose another one.',
    hi: 'यह पासवर्ड उपनाम से बहुत मिलता है; दूसरा चुनें।',
  },
  passwordIsPresent: { en: 'This is the present password; choose another one.', hi: 'यह वर्तमान पासवर्ड ही है; दूसरा चुनें।' },
  passwordForEmail: {
    en: 'is not your present password, which is required to change the e-mail address.',
    hi: 'यह आपका वर्तमान पासवर्ड नहीं है, जो ई-मेल पता बदलने के लिए आवश्यक है।',
  },
  cannotDisableYourself: {
    en: 'You cannot disable yourself; another superuser can.',
    hi: 'आप स्वयं को बंद नहीं कर सकते; कोई दूसरा सुपरयूज़र कर सकता है।',
  },
  nameOfNoUser: {
    en: 'is not the name of a user; the list of users has all names.',
    hi: 'इस नाम का कोई उपयोगकर्ता नहीं है; सभी नाम उपयोगकर्ताओं की सूची में हैं।',
  },
  isNoMember: {
    en: 'is not a member; the list of members is on the page of the entry.',
    hi: 'सदस्य नहीं है; सदस्यों की सूची प्रविष्टि के पृष्ठ पर है।',
  },
  nameOfNoOrganization: {
    en: 'is not the name of an organisation; add the organisation first, or leave this field empty.',
    hi: 'इस नाम की कोई संस्था नहीं है; पहले उसे जोड़ें, या इसे खाली छोड़ें।',
  },
  platformNeedsEmail: {
    en: 'is required for accounts of the platform {platform}; use the client_email of the credentials file.',
    hi: 'प्लेटफ़ॉर्म {platform} के खातों के लिए यह आवश्यक है; क्रेडेंशियल फ़ाइल का client_email लिखें।',
  },
  otherServiceAccount: {
    en: 'The mounted credentials file belongs to {mounted}, but this field has {typed}; use the e-mail address in the file, or mount the file of {same}.',
    hi: 'सेवा की क्रेडेंशियल फ़ाइल {mounted} की है, पर यह {typed} है; फ़ाइल का पता लिखें, या {same} की फ़ाइल रखें।',
  },
  uploadedServiceAccount: {
    en: 'The uploaded file belongs to {uploaded}, but this field has {typed}; use the e-mail address in the file, or upload the file of {same}.',
    hi: 'अपलोड की गई फ़ाइल {uploaded} की है, पर यहाँ {typed} लिखा है; फ़ाइल का ई-मेल पता लिखें, या {same} की फ़ाइल अपलोड करें।',
  },
  keyNameLength: {
    en: 'has {length} characters; give 1 to {most}, or leave it out for a name with the current time.',
    hi: '{length} अक्षर हैं; 1 से {most} लिखें, या समय वाले नाम के लिए खाली छोड़ें।',
  },
  keyDaysRange: {
    en: 'is {days}; give a whole number of days from 1 to {most}.',
    hi: '{days} है; 1 से {most} तक पूरे दिन लिखें।',
  },
  yearIsInteger: { en: 'A year is an integer, e.g. 2022', hi: 'वर्ष एक पूर्ण संख्या है, जैसे 2022' },
  yearTooEarly: {
    en: '{year} is too early; Sentinel-2 covers hydrological years from {first} on',
    hi: '{year} बहुत पहले का है; सेंटिनल-2 के चित्र जल वर्ष {first} से हैं',
  },
  yearNotOver: {
    en: 'hydrological year {year} (1 July {same} - 30 June {next}) is not over yet; the last complete year is {last}',
    hi: 'जल वर्ष {year} (1 जुलाई {same} - 30 जून {next}) अभी पूरा नहीं हुआ है; अंतिम पूरा वर्ष {last} है',
  },
  yearsReversed: {
    en: '{first} is after end_year {last}; exchange them',
    hi: '{first} अंतिम वर्ष {last} के बाद है; दोनों को बदलें',
  },
  accountRequired: { en: 'eo_account_id is required (gee_account_id is accepted too).', hi: 'खाता चुनना आवश्यक है।' },
  accountNotInteger: { en: '{name} must be an integer.', hi: '{name} पूर्ण संख्या होनी चाहिए।' },
  accountUnknown: {
    en: 'account {id} does not exist; GET {route} lists the accounts that you may use',
    hi: 'खाता {id} नहीं है; सूची में से एक खाता चुनें',
  },
  unknownImportKind: { en: '"{kind}" is not one of {kinds}.', hi: '"{kind}" इनमें से नहीं है: {kinds}।' },
  wrongFileEnding: {
    en: '"{file}" cannot be imported as {kind}; use a file that ends in {endings}.',
    hi: '"{file}" को {kind} के रूप में आयात नहीं किया जा सकता; ऐसी फ़ाइल दें जिसके नाम के अंत में {endings} हो।',
  },
  notKeptFile: {
    en: 'The checked file is no longer kept, or another process of the service keeps it; choose the file and send it again.',
    hi: 'जाँची गई फ़ाइल अब नहीं रखी है, या सेवा की किसी दूसरी प्रक्रिया के पास है; फ़ाइल चुनें और फिर भेजें।',
  },
  fileInUse: {
    en: 'This file is being imported. If the import succeeds, the audit log lists it.',
    hi: 'यह फ़ाइल आयात हो रही है। आयात सफल होने पर वह बदलावों के लेखे में दिखेगा।',
  },
  sentUnderTwoNames: {
    en: 'Sent under two names with different values; send {name} only.',
    hi: 'दो नामों से अलग मान भेजे गए; केवल {name} भेजें।',
  },
  sentTwice: { en: 'Sent more than once; send it once.', hi: 'एक से अधिक बार भेजा गया; एक बार भेजें।' },
} as const satisfies Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>>;
