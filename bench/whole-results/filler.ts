/** Sentences that fill a page. They use the nouns of the page's fact and the words in which people ask for facts. `{a}` and `{b}` are nouns. */

export interface Filler {
  templates: readonly string[];
  names: readonly string[];
  /** The text between two sentences. */
  space: string;
}

export const fillers: Record<'en' | 'zh', Filler> = {
  en: {
    space: ' ',
    names:
      `Anna Reuter|Joris Vane|Petra Lund|Samuel Okoro|Ines Duarte|Karl Bremer|Lucy Hart|Omar Said|Greta Falk|Paul Nye`.split(
        '|',
      ),
    templates: [
      'In {year} the {a} was repaired again, and nobody wrote down what the {b} had cost.',
      '{name} spoke of the {a} for an hour, then of the {b}, and left before it grew dark.',
      'The {a} is older than the {b}, though few people can say by how much.',
      'Of the {a} there are {n} drawings, most of them made by {name} in {year}.',
      'Where the {a} had stood at first, the {b} stood afterwards.',
      '{name} asked who looked after the {a}, and was told that the {b} came first.',
      'On the first day of the year {year} people paid {n} coins to see the {a}.',
      'How long the {a} would last was what {name} put to everyone who knew the {b}.',
      'What the {a} was made of is not known, since the {b} was never opened.',
      'The largest {a} that {name} had seen was in another place, and so was its {b}.',
      'Between {year} and the war the {a} had {n} visitors a week, and the {b} hardly fewer.',
      'The reason why the {a} was closed had to do with the {b}, wrote {name}.',
      'A colour for the {a} was chosen in {year}, and another for the {b} later on.',
      '{name} brought the {a} back after {n} days, and got a new {b} in return.',
      'They used the {a} every summer until {year}, when the price of the {b} went up.',
      'It was {name} who named the {a}, and everybody who came later kept to it.',
      'Without the {a} there would be no {b}, as {name} used to say.',
      'The {b} and the {a} were moved in {year}, which took {n} people.',
    ],
  },
  zh: {
    space: '',
    names: '周文达|陈玉兰|何志平|赵春生|孙小梅|郑国栋|吴秀英|冯永年|许建华|沈佩佩'.split('|'),
    templates: [
      '{year}年{a}又修了一次，没有人记下{b}花了多少钱。',
      '{name}先讲了一个小时{a}，又讲{b}，天黑以前就走了。',
      '{a}比{b}更老，可是很少有人说得出老多少。',
      '关于{a}的图有{n}张，多半是{name}在{year}年画的。',
      '最初放着{a}的地方，后来放了{b}。',
      '{name}问是谁在照管{a}，别人告诉他先要看{b}。',
      '{year}年的第一天，人们付了{n}个铜板来看{a}。',
      '{a}还能用多久，{name}问遍了懂{b}的人。',
      '没有人知道{a}是什么做的，因为{b}从来没有打开过。',
      '{name}见过的最大的{a}在别的地方，那里的{b}也一样。',
      '从{year}年到战争，每周有{n}个人来看{a}，看{b}的也不少。',
      '{name}写道，{a}关门的原因和{b}有关。',
      '{year}年给{a}选了一种颜色，后来又给{b}选了另一种。',
      '{name}过了{n}天才把{a}送回来，换走了新的{b}。',
      '每年夏天都用{a}，直到{year}年{b}涨了价。',
      '给{a}取名字的是{name}，后来的人都这样叫。',
      '{name}常说，没有{a}就没有{b}。',
      '{year}年搬{a}和{b}，一共用了{n}个人。',
    ],
  },
};
