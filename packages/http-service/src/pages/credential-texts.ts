import type { CatalogueLanguage } from '../wire/words.ts';

/** Reasons why the connection test of an Earth-observation account fails. */
export const CREDENTIAL_TEXTS = {
  credentialsUnreadable: {
    en: "The file cannot be read ({code}). Mount the file and set {setting} to its path; the server's user must be allowed to read it.",
    hi: 'पढ़ी नहीं जा सकती ({code})। फ़ाइल माउंट करें और {setting} में उसका पथ लिखें; सर्वर के उपयोगकर्ता को उसे पढ़ने की अनुमति चाहिए।',
  },
  credentialsNoJson: {
    en: 'The file is not valid JSON. Download a new key as JSON, and use that file unchanged.',
    hi: 'यह मान्य JSON नहीं है। JSON में नई कुंजी डाउनलोड करें और फ़ाइल बिना बदले उपयोग करें।',
  },
  credentialsNoKey: {
    en: 'The file is not the JSON key of a service account. Download a new key as JSON, and use that file.',
    hi: 'यह किसी सर्विस-अकाउंट की JSON कुंजी नहीं है। JSON में नई कुंजी डाउनलोड करें और वह फ़ाइल उपयोग करें।',
  },
  credentialsNoRsa: {
    en: 'The private_key in the file is not an RSA key of at least 2048 bits. Download a new key as JSON, and use that file unchanged.',
    hi: 'उसकी private_key कम-से-कम 2048 बिट की RSA कुंजी नहीं है। JSON में नई कुंजी डाउनलोड करें और फ़ाइल बिना बदले उपयोग करें।',
  },
  credentialsNoProject: {
    en: 'The project_id in the file is missing or not valid. Download a new key as JSON, and use that file unchanged.',
    hi: 'उसमें project_id नहीं है या मान्य नहीं है। JSON में नई कुंजी डाउनलोड करें और फ़ाइल बिना बदले उपयोग करें।',
  },
  credentialsOfOther: {
    en: 'The file belongs to {ofFile}, but the account has the e-mail {own}. Change the service-account e-mail of the account, or use a key file with the e-mail of the account.',
    hi: 'फ़ाइल {ofFile} की है, खाता {own} का। खाते का सर्विस-अकाउंट ई-मेल बदलें, या खाते के ई-मेल वाली कुंजी फ़ाइल उपयोग करें।',
  },
  credentialsNone: {
    en: 'The account has no credentials. Upload the JSON key of its service account on the page of the account, or mount a credentials file and set {setting} to its path.',
    hi: 'कोई नहीं हैं। खाते के साथ उसके सर्विस-अकाउंट की JSON कुंजी अपलोड करें, या क्रेडेंशियल फ़ाइल माउंट करके {setting} में उसका पथ लिखें।',
  },
  credentialsOtherKey: {
    en: 'The stored credentials were encrypted with another secret of this deployment, so they cannot be read. Upload the key again, or restore the secret ({setting} or the signing key in the data folder).',
    hi: 'वे इस परिनियोजन के किसी दूसरे रहस्य से एन्क्रिप्ट हुए थे, इसलिए पढ़े नहीं जा सकते। कुंजी फिर अपलोड करें, या पहले वाला रहस्य ({setting} या डेटा फ़ोल्डर की कुंजी) वापस लाएँ।',
  },
  credentialsDamaged: {
    en: 'The stored credentials are damaged in the database. Upload the key again.',
    hi: 'वे डेटाबेस में ख़राब हो गए हैं। कुंजी फिर अपलोड करें।',
  },
  noTokenGiven: {
    en: 'The token endpoint gave no token (HTTP {code}). Check that the key was not deleted, that the service account is enabled, and that the clock of this machine is right.',
    hi: 'टोकन के पते ने टोकन नहीं दिया (HTTP {code})। जाँचें कि कुंजी हटाई न गई हो, सर्विस-अकाउंट चालू हो और इस मशीन की घड़ी सही हो।',
  },
  bucketRefused: {
    en: 'The bucket {bucket} responds HTTP {status}. Check {setting}, and give the service account the right to list its objects.',
    hi: 'बकेट {bucket} का उत्तर HTTP {status} है। {setting} जाँचें, और सर्विस-अकाउंट को उसकी वस्तुएँ देखने का अधिकार दें।',
  },
  tokenAddressWrong: {
    en: 'The token_uri of the file is not an https address. Use the downloaded key file unchanged.',
    hi: 'फ़ाइल का token_uri https पता नहीं है। डाउनलोड की गई कुंजी फ़ाइल बिना बदले उपयोग करें।',
  },
  tokenHostRefused: {
    en: '{host} is not a public address, or its response does not come from this platform. Use the downloaded key file unchanged.',
    hi: '{host} सार्वजनिक पता नहीं है, या उसका उत्तर इस प्लेटफ़ॉर्म का नहीं है। डाउनलोड की गई कुंजी फ़ाइल बिना बदले उपयोग करें।',
  },
  tokenHostSilent: {
    en: '{host} gave no response ({reason}). Check the network, the name server and the firewall of this machine, and try again.',
    hi: '{host} से कोई उत्तर नहीं ({reason})। इस मशीन का नेटवर्क, नेम सर्वर और फ़ायरवॉल जाँचें और फिर कोशिश करें।',
  },
  credentialsOtherFailure: {
    en: 'The check failed for another reason ({code}). Try again later.',
    hi: 'किसी और कारण से विफल ({code})। बाद में फिर कोशिश करें।',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>>;
