import type { Language } from '../wire/words.ts';

/** Texts of the pages of users: sign-in, registration, dashboard. */
export const SCREEN_TEXTS = {
  signIn: { en: 'Sign in', hi: 'साइन इन' },
  signedInAs: { en: 'Signed in as', hi: 'साइन इन किया हुआ नाम:' },
  signOut: { en: 'Sign out', hi: 'साइन आउट' },
  signInLead: {
    en: 'Sign in to make API keys and to see your computations. Published data can be read without an account.',
    hi: 'एपीआई कुंजी बनाने और अपनी गणनाएँ देखने के लिए साइन इन करें। प्रकाशित जानकारी बिना खाते के पढ़ी जा सकती है।',
  },
  signInToContinue: {
    en: 'Sign in to open this page. Text that you typed into a form is filled in again.',
    hi: 'यह पृष्ठ खोलने के लिए साइन इन करें। फ़ॉर्म में आपका लिखा पाठ फिर से भर दिया जाएगा।',
  },
  userName: { en: 'User name', hi: 'उपयोगकर्ता नाम' },
  password: { en: 'Password', hi: 'पासवर्ड' },
  noAccountYet: { en: 'No account yet?', hi: 'अभी खाता नहीं है?' },
  registerHere: { en: 'Register', hi: 'पंजीकरण करें' },
  forgotIt: { en: 'Forgot the password?', hi: 'पासवर्ड भूल गए?' },
  wrongSignIn: {
    en: 'The user name or the password is wrong, or the account is disabled.',
    hi: 'उपयोगकर्ता नाम या पासवर्ड ग़लत है, या खाता बंद है।',
  },
  tooManySignIns: {
    en: 'Too many sign-ins failed. Try again in {wait}. Until then the right password is refused too.',
    hi: 'साइन इन के बहुत सारे प्रयास विफल हुए। {wait} बाद फिर प्रयास करें। तब तक सही पासवर्ड भी स्वीकार नहीं होगा।',
  },
  tooManyRequests: {
    en: 'Too many requests came from here. Try again in {wait}.',
    hi: 'यहाँ से बहुत सारे अनुरोध आए। {wait} बाद फिर प्रयास करें।',
  },
  busy: {
    en: 'The service is busy. Try again in {wait}.',
    hi: 'सेवा व्यस्त है। {wait} बाद फिर प्रयास करें।',
  },
  minutes: { en: '{count} minutes', hi: '{count} मिनट' },
  seconds: { en: '{count} seconds', hi: '{count} सेकंड' },
  oldForm: {
    en: 'The form was too old, or the browser does not accept cookies. Send it again.',
    hi: 'फ़ॉर्म बहुत पुराना था, या ब्राउज़र कुकी स्वीकार नहीं करता। इसे फिर से भेजें।',
  },
  foreignForm: {
    en: 'The form was not sent by a page of this service. Nothing was changed. Send it from this page.',
    hi: 'फ़ॉर्म इस सेवा के पृष्ठ से नहीं भेजा गया। कुछ नहीं बदला गया। इसे इस पृष्ठ से भेजें।',
  },
  refusedForm: { en: 'The form was refused', hi: 'फ़ॉर्म स्वीकार नहीं हुआ' },
  notEncrypted: {
    en: 'The connection is not encrypted: others on the network can read the password. Ask the operator for an https address.',
    hi: 'यह संपर्क कूटबद्ध नहीं है: नेटवर्क पर दूसरे लोग पासवर्ड पढ़ सकते हैं। संचालक से https पता माँगें।',
  },
  askSignOut: { en: 'Sign out of this browser?', hi: 'इस ब्राउज़र से साइन आउट करें?' },
  signedOut: { en: 'You are signed out', hi: 'आप साइन आउट हैं' },
  signedOutLead: {
    en: 'The session of this browser has ended. API keys stay valid.',
    hi: 'इस ब्राउज़र का सत्र समाप्त हो गया है। एपीआई कुंजियाँ मान्य रहेंगी।',
  },
  toDashboard: { en: 'Back to the dashboard', hi: 'डैशबोर्ड पर वापस' },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;
