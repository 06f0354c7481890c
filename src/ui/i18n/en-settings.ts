/** What is said where settings are found, in English. */

export const enFindSettings = {
  label: 'Find a setting',
  found: (parts: number) =>
    parts === 1 ? 'One part of the settings is shown.' : `${parts} parts are shown.`,
  none: 'No setting has these words. How models run is set on the Models page, what a tool may do on the Tools page.',
  groups: {
    general: 'General',
    asking: 'Asking and answering',
    web: 'The web',
    privacy: 'Privacy',
    data: 'Your data',
  },
  /** Other words by which somebody may look for a part. */
  also: {
    language: 'translation locale 中文',
    appearance: 'theme dark mode night colours colors font zoom accessibility',
    rounds: 'limit loop turns agent',
    answers: 'unsure doubt check facts hallucination',
    dictation: 'dictate voice speech microphone sound speak',
    'web-search': 'internet online provider API',
    proxy: 'CORS fetch page internet',
    mirrors: 'download Hugging Face China',
    permissions: 'allow always grant trust revoke',
    addresses: 'local network server private localhost intranet',
    requests: 'log traffic telemetry tracking history',
    backup: 'export import restore save folder encrypt ChatGPT Open WebUI',
    storage: 'disk space quota clear reset erase remove',
    about: 'version licence license open source',
  },
  hints: {
    language: 'Of the screen. A model answers in the language you write in.',
    theme: 'Colours of the screen. “System” changes with your device.',
    contrast: '“High” makes text, lines and icons stand out more, in both themes.',
    textSize: 'Of all that Hearth shows, on top of the zoom of your browser.',
    key: 'Kept on this device, sent to this provider alone.',
    perMinute: 'More are not sent; the model is told to wait.',
  },
};
