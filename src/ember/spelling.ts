/** How people type in a chat, made plain, so that small talk is recognised however it is spelled. */

/** One way of writing for each of these words; what stands here twice is what is meant most. */
const plainly: Readonly<Record<string, string>> = {
  u: 'you',
  ya: 'you',
  yu: 'you',
  r: 'are',
  ur: 'your',
  urs: 'yours',
  wat: 'what',
  wut: 'what',
  wht: 'what',
  whats: "what's",
  wats: "what's",
  hows: "how's",
  whos: "who's",
  hw: 'how',
  thats: "that's",
  im: "i'm",
  ive: "i've",
  dont: "don't",
  cant: "can't",
  didnt: "didn't",
  isnt: "isn't",
  youre: "you're",
  plz: 'please',
  pls: 'please',
  plss: 'please',
  thx: 'thanks',
  thnx: 'thanks',
  thanx: 'thanks',
  tnx: 'thanks',
  tks: 'thanks',
  thks: 'thanks',
  ty: 'thanks',
  tysm: 'thanks',
  tyvm: 'thanks',
  heya: 'hey',
  hai: 'hi',
  helo: 'hello',
  hullo: 'hello',
  ello: 'hello',
  yoo: 'yo',
  gm: 'good morning',
  gn: 'good night',
  nite: 'night',
  goodnite: 'good night',
  goodnight: 'good night',
  nighty: 'night',
  cu: 'see you',
  cya: 'see you',
  ttyl: 'talk to you later',
  m8: 'mate',
  bro: 'mate',
  gud: 'good',
  mornin: 'morning',
  evenin: 'evening',
  wanna: 'want to',
  gonna: 'going to',
  gotta: 'have to',
  hru: 'how are you',
  wru: 'who are you',
  wyd: 'what are you doing',
  whatcha: 'what do you',
  watcha: 'what do you',
  wassup: "what's up",
  sup: "what's up",
  okey: 'ok',
  okie: 'ok',
  kk: 'ok',
  yea: 'yes',
  ye: 'yes',
  nope: 'no',
  idk: "i don't know",
  "g'day": 'good day',
  stfu: 'shut up',
  fck: 'fuck',
  fuk: 'fuck',
};

/** What small talk is mostly made of: a word that is one slip away from one of these is that word. */
const common = new Set(
  (
    'hello thanks thank please morning evening afternoon night goodbye what your name help model human stupid useless idiot awesome ' +
    'amazing great sorry there welcome tomorrow private password'
  ).split(' '),
);
/** Shorter words are one slip away from too many others. */
const shortest = 4;

/** `text` is in small letters. */
export function spellOut(text: string): string {
  return text.replace(/[‘’`´]/g, "'").replace(/[a-z0-9']+/g, (written) => {
    const word = written.replace(/([a-z])\1{2,}/g, '$1');
    const single = word.replace(/([a-z])\1+$/, '$1');
    return plainly[word] ?? (word === written ? undefined : plainly[single]) ?? correct(word, written);
  });
}

function correct(word: string, written: string): string {
  if (word.length < shortest || common.has(word)) return word;
  const near = Array.from(common).filter((one) => isOneSlip(word, one));
  // `helloooo` lost all but one of its last letters.
  return near.length === 1 && near[0] !== undefined ? near[0] : written === word ? written : word;
}

/** One letter too many, too few or another, or two that changed places; the first letter is seldom wrong. */
function isOneSlip(word: string, meant: string): boolean {
  if (word[0] !== meant[0] || Math.abs(word.length - meant.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at++;
  const rest = word.slice(at);
  const wanted = meant.slice(at);
  if (rest.length !== wanted.length) return rest.slice(1) === wanted || rest === wanted.slice(1);
  const isOther = rest.slice(1) === wanted.slice(1);
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return isOther || isSwapped;
}
