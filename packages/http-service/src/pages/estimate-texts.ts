import type { CatalogueLanguage } from '../wire/words.ts';

/** Texts of the estimate of a computation. */
export const ESTIMATE_TEXTS = {
  estimateFirst: { en: 'Estimate first', hi: 'पहले अनुमान लगाएँ' },
  estimateLead: {
    en: 'Reads the headers of the scenes and computes nothing. This takes longer for a large area.',
    hi: 'केवल चित्रों के शीर्ष पढ़ता है, कोई गणना नहीं करता। बड़े क्षेत्र में अधिक समय लगता है।',
  },
  theEstimate: { en: 'Estimate', hi: 'अनुमान' },
  tooManyEstimates: {
    en: 'Other estimates are still running. Try again in {wait}.',
    hi: 'दूसरे अनुमान अभी चल रहे हैं। {wait} बाद फिर प्रयास करें।',
  },
  estimateFailed: { en: 'The work could not be estimated.', hi: 'काम का अनुमान नहीं लग सका।' },
  workItem: { en: 'Work', hi: 'काम' },
  workAmount: { en: 'Expected', hi: 'अनुमानित' },
  sampledOf: { en: '{all}, estimated from {sampled} of them', hi: '{all}, इनमें से {sampled} के आधार पर' },
  computedArea: { en: 'Area', hi: 'क्षेत्रफल' },
  bytesToRead: { en: 'Data to read', hi: 'पढ़ी जाने वाली जानकारी' },
  requestsToSend: { en: 'HTTP requests', hi: 'HTTP अनुरोध' },
  workerTime: { en: 'Time of one worker', hi: 'एक वर्कर का समय' },
  workerMemory: { en: 'Memory of the worker', hi: 'वर्कर की मेमोरी' },
  diskSpace: { en: 'Disk space', hi: 'डिस्क में जगह' },
  unknownAmount: { en: 'unknown', hi: 'ज्ञात नहीं' },
  eecuBetween: { en: '{count} EECU-seconds ({low} to {high})', hi: '{count} EECU सेकंड ({low} से {high})' },
  timeMeasured: {
    en: 'The time is estimated from the newest run of this layer here.',
    hi: 'समय का अनुमान यहाँ इस परत की पिछली गणना से है।',
  },
  timeAssumed: {
    en: 'No run of this layer was measured on this server. So the time is the computing time on two idle cores; downloads are not included.',
    hi: 'इस सर्वर पर इस परत की कोई गणना अभी मापी नहीं गई। इसलिए यह समय दो ख़ाली कोर पर गणना का समय है; डाउनलोड इसमें शामिल नहीं हैं।',
  },
  tehsilsLacking: {
    en: 'Data are missing for {lacking} of the {sampled} examined tehsils.',
    hi: 'जाँची गई {sampled} तहसीलों में से {lacking} के लिए जानकारी नहीं है।',
  },
  tehsilsUnread: {
    en: 'Tehsils that could not be examined:',
    hi: 'जिन तहसीलों की जाँच नहीं हो सकी:',
  },
  scopeEach: {
    en: 'All tehsils of the area are computed, each in a run of its own. Data that a tehsil needs and that are missing are computed first.',
    hi: 'क्षेत्र की सभी तहसीलों की गणना होगी, हर एक की अलग से। किसी तहसील के लिए जो जानकारी चाहिए और नहीं है, उसकी गणना पहले होगी।',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<CatalogueLanguage, string>>>>;
