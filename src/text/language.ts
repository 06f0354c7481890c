/** Languages that a very small model can answer in. */
export type ReplyLanguage = 'en' | 'zh';

export type OtherLanguage = keyof typeof wordsByLanguage | keyof typeof scriptPatterns;

const scriptPatterns = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  uk: /[іїєґ]/iu,
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  th: /\p{Script=Thai}/u,
  el: /\p{Script=Greek}{2}/u,
  he: /\p{Script=Hebrew}/u,
} as const;

/** Common words of each language that are rare in English. One of the words before the `|` is enough to recognise the language. */
const wordsByLanguage = {
  fr: "bonjour bonsoir salut merci coucou allô | qui es-tu es tu toi quoi combien font fait merci aide-moi peux-tu ça va comment est-ce que quelle heure il est je suis tu peux vous pouvez aide le les des une pour avec dans quoi qui sont mon ma s'il plaît",
  de: 'hallo danke tschüss servus moin | wer bist wieviel wie viel hilfe guten schön wie geht es dir ihnen spät ist ich bin du kannst sie können bitte guten tag morgen abend nacht uhr der das und nicht ein eine mir was wer warum für mit den dem',
  es: 'hola gracias adiós buenas buenos | te llamas como gracias cuánto quién eres más menos qué tal muchas qué cómo estás hora es días tardes noches por favor puedes ayudar yo tú el la los las una para con cuál dónde está quién mi ayuda',
  it: 'ciao grazie buongiorno buonasera salve | ti chiami quanto fa mille come stai che ore sono puoi aiutarmi il la gli una per con quale dove chi sei mio mia per favore cosa è',
  pt: 'olá obrigado obrigada oi tchau | quanto é mais muito bom dia boa tarde noite como está que horas são você pode me ajudar por favor o os uma para com qual onde quem meu minha',
  nl: 'hoi dankjewel bedankt goedemorgen | dank wel jij hoe gaat het met je laat is ik ben kun jij alsjeblieft goede dag avond de een voor wat wie waarom niet van',
  pl: 'cześć dziękuję dzień dobry | jak się masz która jest godzina czy możesz proszę nie co kto dlaczego dla',
  sv: 'hej tack | hur mår du vad är klockan jag kan och en ett för inte god morgon',
  tr: 'merhaba teşekkürler selam | nasılsın saat kaç bir ne kim neden için lütfen iyi günler',
  id: 'halo terima kasih | apa kabar jam berapa sekarang saya kamu bisa tolong selamat pagi malam',
  cs: 'ahoj čau děkuji děkuju nazdar | dobrý den jak se máš kdo jsi co umíš kolik je hodin prosím ne',
  hu: 'szia sziasztok köszönöm helló | jó napot hogy vagy ki mennyi az idő mit tudsz',
  ro: 'bună salut mulțumesc | ziua seara ce faci cine ești cât este ora te rog',
  fi: 'hei moi terve kiitos hyvää | päivää huomenta iltaa mitä kuka sinä olet kuuluu kello on',
  da: 'hej hei | hvordan går det hvad hva hvem er du kan klokken god dag morgen takk tak ikke jeg og',
  vi: 'xin chào | bạn khỏe không mấy giờ cảm ơn tôi là gì ai',
} as const;

/** Removes accents, because many people omit them in chats. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ł', 'l')
    .toLowerCase();
}

const wordPatterns = Object.fromEntries(
  Object.entries(wordsByLanguage).map(([language, words]) => {
    const [greetings = '', others = ''] = withoutAccents(words).split(' | ');
    return [language, { alone: new Set(greetings.split(' ')), some: new Set(others.split(' ')) }];
  }),
);
const englishWords = new Set(
  (
    'the a an is are was were be am i you he she it we they my your me us do does did can could would will what who when where why ' +
    'how which and or not no yes to of in on at for with from by this that these those please thanks hello hi time day many much ' +
    'translate mean means into word say tell give show search find convert calculate weather about have has if then there'
  ).split(' '),
);

/** The beginning of a text has its language. Counting the words of a long one would take seconds. */
const maxReadCharacters = 5_000;

/** Undefined if the text has no letters of a known script. */
export function languageOf(whole: string): ReplyLanguage | OtherLanguage | undefined {
  const text = whole.slice(0, maxReadCharacters);
  for (const [language, script] of Object.entries(scriptPatterns)) {
    // If the message also contains a Latin word, the text in another script may only be a name.
    if (script.test(text) && !/\p{Script=Latin}{4}/u.test(text)) return language as OtherLanguage;
  }
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  const spoken = withoutAccents(text).match(/[\p{L}'’-]+/gu) ?? [];
  const englishCount = spoken.filter((word) => englishWords.has(word)).length;
  let best: { language: string; count: number } | undefined;
  for (const [language, { alone, some }] of Object.entries(wordPatterns)) {
    const hasAlone = spoken.some((word) => alone.has(word));
    const count = spoken.filter((word) => some.has(word) || alone.has(word)).length;
    const isIt = hasAlone ? count > englishCount : count >= 2 && count > englishCount;
    if (isIt && count > (best?.count ?? 0)) best = { language, count };
  }
  if (best) return best.language as OtherLanguage;
  return /\p{Script=Latin}/u.test(text) ? 'en' : undefined;
}
