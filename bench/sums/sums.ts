/** Sums as people write them, the same in every run: in symbols and words, in English and Chinese, with the expression that the calculator must get. */
import { createRandom } from '../../test/support/random';

export interface SumRequest {
  text: string;
  language: 'en' | 'zh';
  wording: string;
  /** In the calculator's symbols. */
  expression: string;
}

interface Written {
  written: string;
  expression: string;
}

type Random = () => number;
type Operator = '+' | '-' | '*' | '/';

/** Wordings around an expression in `{}`, ten per language. The first five ask for nothing else, and two leave the model to decide whether to call. */
const wordings = {
  en: [
    '{}',
    '{} ?',
    '{} =',
    'What is {}?',
    'how much is {}',
    'Please calculate {} for me.',
    'seconds in all = {}?',
    'Is {} more than a thousand?',
    'My colleague could not work out {}. Can you?',
    'My cousin says {} is a lot, right?',
  ],
  zh: [
    '{}',
    '{}等于多少',
    '{}＝？',
    '请问{}是多少？',
    '帮我算一下{}',
    '麻烦算算{}，谢谢',
    '要付的钱是{}，一共多少？',
    '{}有没有超过一千？',
    '我猜{}很大，对不对',
    '一年的总数是{}，结果是几？',
  ],
};

/** Returns `perWording` requests for each of the twenty wordings. */
export function writeRequests(perWording: number, seed = 29): SumRequest[] {
  const random = createRandom(seed);
  return (['en', 'zh'] as const).flatMap((language) =>
    wordings[language].flatMap((wording) =>
      Array.from({ length: perWording }, (_, index) => {
        const styles = stylesOf[language];
        const { written, expression } = (styles[index % styles.length] ?? inSigns)(random);
        return { text: wording.replace('{}', () => written), language, wording, expression };
      }),
    ),
  );
}

const whole = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is none to choose.');
  return item;
};

/** Writes an integer, a decimal, or a large number in groups of three digits. */
function writeNumber(random: Random): Written {
  const kind = random();
  if (kind < 0.55) return plain(whole(random, 2, 999));
  if (kind < 0.8) return plain((whole(random, 11, 9999) / 100).toString());
  const thousands = whole(random, 1, 98);
  const rest = String(whole(random, 0, 999)).padStart(3, '0');
  return { written: `${thousands},${rest}`, expression: `${thousands}${rest}` };
}

function plain(number: number | string): Written {
  return { written: String(number), expression: String(number) };
}

const signs: Readonly<Record<Operator, readonly string[]>> = {
  '+': ['+'],
  '-': ['-', '−'],
  '*': ['*', '×', 'x', '·'],
  '/': ['/', '÷'],
};
const englishWords: Readonly<Record<Operator, readonly string[]>> = {
  '+': ['plus'],
  '-': ['minus'],
  '*': ['times', 'multiplied by'],
  '/': ['divided by', 'over'],
};
const chineseWords: Readonly<Record<Operator, readonly string[]>> = {
  '+': ['加', '加上'],
  '-': ['减', '减去'],
  '*': ['乘', '乘以'],
  '/': ['除', '除以'],
};
const operators = ['+', '-', '*', '/'] as const;

/** Writes two to four numbers, sometimes with the first two or the last two in parentheses. */
function chain(
  random: Random,
  number: (random: Random) => Written,
  words: Readonly<Record<Operator, readonly string[]>>,
  gap: string,
): Written {
  const count = whole(random, 2, 4);
  const grouped = count > 2 && random() < 0.4 ? oneOf(random, [0, count - 2]) : undefined;
  let written = '';
  let expression = '';
  for (let at = 0; at < count; at++) {
    const operand = number(random);
    const operator = oneOf(random, operators);
    // A letter between digits needs spaces.
    const sign = at === 0 ? '' : oneOf(random, words[operator]);
    const space = sign === 'x' ? ' ' : gap;
    const [open, close] = [at === grouped ? '(' : '', grouped !== undefined && at === grouped + 1 ? ')' : ''];
    written += (at === 0 ? '' : space + sign + space) + open + operand.written + close;
    expression += (at === 0 ? '' : operator) + open + operand.expression + close;
  }
  return { written, expression };
}

const inSigns = (random: Random) => chain(random, writeNumber, signs, oneOf(random, ['', ' ']));

function inWideSigns(random: Random): Written {
  const { written, expression } = chain(random, writeNumber, { ...signs, '-': ['-'] }, '');
  const wide = written.replace(/[!-~]/g, (sign) =>
    sign === ',' || sign === '.' || sign === 'x' ? sign : String.fromCharCode(sign.charCodeAt(0) + 0xfee0),
  );
  return { written: wide, expression };
}

function inPowers(random: Random): Written {
  const [base, power, more] = [whole(random, 2, 20), whole(random, 2, 12), whole(random, 2, 99)];
  const sign = oneOf(random, ['**', '^', ' ** ', ' ^ ']);
  const tail = oneOf(random, [plain(''), { written: ` - ${more}`, expression: `-${more}` }]);
  return {
    written: `${base}${sign}${power}${tail.written}`,
    expression: `${base}^${power}${tail.expression}`,
  };
}

const small = 'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(
  ' ',
);
const chineseSmall = '二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五'.split(' ');

function spelled(random: Random, words: readonly string[]): Written {
  const at = whole(random, 0, words.length - 1);
  return { written: words[at] ?? '', expression: String(at + 2) };
}

function spelledLarge(random: Random): Written {
  const [hundreds, rest] = [whole(random, 2, 9), whole(random, 2, 9)];
  const written = `${small[hundreds - 2] ?? ''} hundred and ${small[rest - 2] ?? ''}`;
  return { written, expression: String(100 * hundreds + rest) };
}

function spelledLargeChinese(random: Random): Written {
  const [hundreds, tens, rest] = [whole(random, 2, 9), whole(random, 2, 9), whole(random, 2, 9)];
  const digit = (value: number) => chineseSmall[value - 2] ?? '';
  return {
    written: `${digit(hundreds)}百${digit(tens)}十${digit(rest)}`,
    expression: String(100 * hundreds + 10 * tens + rest),
  };
}

const stylesOf = {
  en: [
    inSigns,
    (random) => chain(random, writeNumber, englishWords, ' '),
    inPowers,
    inWideSigns,
    (random) => {
      const [share, of] = [whole(random, 2, 95), writeNumber(random)];
      return { written: `${share}% of ${of.written}`, expression: `${share}% of ${of.expression}` };
    },
    (random) => chain(random, (next) => spelled(next, small), englishWords, ' '),
    inSigns,
    (random) =>
      chain(random, (next) => (next() < 0.5 ? spelledLarge(next) : spelled(next, small)), englishWords, ' '),
    (random) => {
      const [base, more] = [whole(random, 2, 30), whole(random, 2, 99)];
      return { written: `${base} squared plus ${more}`, expression: `${base}^2+${more}` };
    },
    (random) => {
      const [of, share] = [writeNumber(random), whole(random, 2, 95)];
      return { written: `${of.written} * ${share}%`, expression: `${of.expression}*${share}%` };
    },
  ],
  zh: [
    inSigns,
    (random) => chain(random, writeNumber, chineseWords, ''),
    inPowers,
    inWideSigns,
    (random) => {
      const [of, share] = [writeNumber(random), whole(random, 2, 95)];
      const written = oneOf(random, [`${of.written}的${share}%`, `${of.written}的百分之${share}`]);
      return { written, expression: `${of.expression}*${share}%` };
    },
    (random) => chain(random, (next) => spelled(next, chineseSmall), chineseWords, ''),
    inSigns,
    (random) =>
      chain(
        random,
        (next) => (next() < 0.5 ? spelledLargeChinese(next) : plain(whole(next, 2, 99))),
        chineseWords,
        '',
      ),
    (random) => {
      const [base, more] = [whole(random, 2, 30), whole(random, 2, 99)];
      return { written: `${base}的平方减${more}`, expression: `${base}^2-${more}` };
    },
    (random) => {
      const [base, power] = [whole(random, 2, 20), whole(random, 3, 9)];
      return { written: `${base}的${power}次方`, expression: `${base}^${power}` };
    },
  ],
} satisfies Record<'en' | 'zh', ((random: Random) => Written)[]>;
