/** The requests of the exam in English. None of them is in training/, and all names in them are invented. */
import {
  ask,
  type CannedTool,
  clock,
  count,
  type ExamRequest,
  own,
  page,
  search,
  sum,
  time,
  word,
} from './exam-request';

const tide: CannedTool = {
  name: 'tide_level',
  description: 'How high the water stands in a harbour',
  parameters: { harbour: word('name of the harbour') },
  gives: '3.8 m and falling',
};
const kiln: CannedTool = {
  name: 'kiln_state',
  description: 'What a kiln of the pottery is doing, and how hot it is',
  parameters: { kiln: word('name or number of the kiln') },
  gives: 'cooling, 412 degrees',
};
const chime: CannedTool = {
  name: 'chime_tune',
  description: 'Plays a tune on the chime of the garden house, once or more often',
  parameters: { tune: word('name of the tune'), times: count('how often') },
  gives: 'The chime plays until 08:52.',
};
const fee: CannedTool = {
  name: 'gate_fee',
  description: 'What one vehicle pays at a gate of the nature park',
  parameters: { gate: word('name of the gate'), vehicle: word('kind of vehicle') },
  gives: '14.50 euros',
};

const plain: readonly ExamRequest[] = [
  sum('en', 1, 'The bill is 238.40 and five of us split it evenly: how much is each share?', '47.68'),
  sum('en', 2, '73 crates with 4,186 screws in each: how many screws would that be?', '305578'),
  sum('en', 3, 'A roll of 57 metres, and I cut off 18.65. What remains, in metres?', '38.35'),
  sum('en', 4, 'Could you tell me what 17.5% of 1,240 comes to?', '217'),
  ask('en', 'time', 1, 'I must ring Nairobi, what does the clock say there?', {
    calls: [clock('Nairobi', 'Nairobi, Kenya')],
    facts: [time(9, 40)],
  }),
  ask('en', 'time', 2, 'Would it be rude to phone Lima this minute? Give me their local time.', {
    calls: [clock('Lima', 'Lima, Peru')],
    facts: [time(1, 40)],
  }),
  ask('en', 'time', 3, 'Local time in Hanoi, please, before I join their call', {
    calls: [clock('Hanoi', 'Hanoi, Vietnam')],
    facts: [time(13, 40)],
  }),
  ask('en', 'search', 1, 'Look up who drew the plans of the Marrow Bridge', {
    found: [
      {
        ...{ title: 'Marrow Bridge', url: 'https://bridges.example/marrow' },
        content: 'The plans of the Marrow Bridge were drawn by Ilona Petrak.',
      },
      {
        title: 'Bone marrow',
        url: 'https://body.example/marrow',
        content: 'Marrow is a tissue inside bones.',
      },
    ],
    calls: [search('marrow')],
    facts: [['petrak']],
  }),
  ask('en', 'search', 2, 'Could you find out online what axolotls eat?', {
    found: [
      {
        ...{ title: 'Axolotl', url: 'https://pond.example/axolotl' },
        content: 'Axolotls eat worms, insect larvae and small fish.',
      },
    ],
    calls: [search('axolotl')],
    facts: [['worms']],
  }),
  ask('en', 'search', 3, 'Search for the newest release of the Quillfire editor', {
    found: [
      {
        ...{ title: 'Quillfire releases', url: 'https://quillfire.example/releases' },
        content: 'The newest release of the Quillfire editor is 8.4.',
      },
    ],
    calls: [search('quillfire')],
    facts: [['8.4']],
  }),
  ask('en', 'search', 4, 'Which firm makes the Pelmora kettle? Check the web.', {
    found: [
      {
        ...{ title: 'Pelmora', url: 'https://kettles.example/pelmora' },
        content: 'The Pelmora kettle is made by the firm Thornbury Works.',
      },
    ],
    calls: [search('pelmora')],
    facts: [['thornbury']],
  }),
  ask('en', 'page', 1, 'When does the last boat leave, according to https://harbour.example/boats ?', {
    pages: {
      'https://harbour.example/boats': 'The first boat leaves at 06:15.\nThe last boat leaves at 21:50.',
    },
    calls: [page('https://harbour.example/boats')],
    facts: [time(21, 50)],
  }),
  ask('en', 'page', 2, 'Open https://recipes.example/plum-cake and tell me how hot the oven has to be', {
    pages: {
      'https://recipes.example/plum-cake':
        'Plum cake.\nThe oven has to be at 175 degrees.\nBake it until the top is brown.',
    },
    calls: [page('https://recipes.example/plum-cake')],
    facts: [['175']],
  }),
  ask('en', 'page', 3, 'Who is the keeper of the archive? It is on https://archive.example/staff', {
    pages: {
      'https://archive.example/staff':
        'The keeper of the archive is Rosalind Okoye.\nVisits are by appointment.',
    },
    calls: [page('https://archive.example/staff')],
    facts: [['okoye']],
  }),
];

const several: readonly ExamRequest[] = [
  ask('en', 'custom', 1, 'What level has the tide reached at Whitby harbour?', {
    tools: [tide],
    calls: [own('tide_level', { harbour: ['Whitby', 'Whitby harbour'] })],
    facts: [['3.8']],
  }),
  ask('en', 'custom', 2, 'How hot is kiln 2?', {
    tools: [tide, kiln],
    calls: [own('kiln_state', { kiln: ['2', 'kiln 2'] })],
    facts: [['412']],
  }),
  ask('en', 'custom', 3, 'Let the chime play the swallow tune 12 times', {
    tools: [chime],
    calls: [own('chime_tune', { tune: ['swallow', 'swallow tune', 'the swallow tune'], times: [12] })],
    facts: [time(8, 52)],
  }),
  ask('en', 'custom', 4, 'What does a camper van pay at the Heron gate?', {
    tools: [fee, tide],
    calls: [own('gate_fee', { gate: ['Heron', 'Heron gate'], vehicle: ['camper van', 'camper'] })],
    facts: [['14.5']],
  }),
  ask('en', 'several', 1, 'I need two clocks: Oslo and Jakarta. What do they show?', {
    calls: [clock('Oslo'), clock('Jakarta')],
    facts: [time(7, 40), time(13, 40)],
  }),
  ask('en', 'several', 2, 'Work out 318 * 47, and also 96 * 205', { facts: [['14946'], ['19680']] }),
  ask('en', 'several', 3, 'What is 84 * 36, and what time has Bogota got?', {
    facts: [['3024'], time(1, 40)],
  }),
  ask(
    'en',
    'chain',
    1,
    'Search for the Veldmoor lighthouse, then read the page you find: how many steps does it have?',
    {
      found: [
        {
          title: 'Veldmoor lighthouse',
          url: 'https://lights.example/veldmoor',
          content: 'All about the lighthouse of Veldmoor.',
        },
      ],
      pages: { 'https://lights.example/veldmoor': 'The Veldmoor lighthouse has 219 steps.' },
      calls: [search('veldmoor'), page('https://lights.example/veldmoor')],
      facts: [['219']],
    },
  ),
  ask('en', 'chain', 2, 'Find the site of the Okarito choir and tell me from its page who conducts it', {
    found: [
      {
        title: 'Okarito choir',
        url: 'https://okarito.example/choir',
        content: 'The choir of Okarito. Concerts, people, how to join.',
      },
    ],
    pages: { 'https://okarito.example/choir': 'The Okarito choir is conducted by Henare Walsh.' },
    calls: [search('okarito'), page('https://okarito.example/choir')],
    facts: [['walsh']],
  }),
  ask('en', 'chain', 3, 'How hot is kiln 5, and what is twice that?', {
    tools: [kiln],
    facts: [['824']],
  }),
];

const words: readonly ExamRequest[] = [
  ask('en', 'none', 1, 'Phew, my train was late again and now I am grumpy', { calls: [] }),
  ask('en', 'none', 2, 'That was kind of you, cheers and good night', { calls: [] }),
  ask('en', 'none', 3, 'Compose two rhyming lines about my old kettle', { calls: [] }),
  ask('en', 'honest', 1, 'Say how many degrees it has in Funchal at the moment', {
    isPlain: true,
  }),
  ask('en', 'honest', 2, 'What does a ticket cost, says https://clockmuseum.example/visit ?', {
    pages: {
      'https://clockmuseum.example/visit':
        'The clock museum is open from Tuesday to Sunday.\nTickets are sold at the door.',
    },
    ...{ calls: [page('https://clockmuseum.example/visit')], isPlain: true },
  }),
  ask('en', 'honest', 3, 'Search for how many people live in the village of Tarnbeck', {
    found: [
      {
        title: 'Tarnbeck',
        url: 'https://villages.example/tarnbeck',
        content: 'Tarnbeck is a village by a lake, known for its bells.',
      },
    ],
    ...{ calls: [search('tarnbeck')], isPlain: true },
  }),
];

export const requestsEn: readonly ExamRequest[] = [...plain, ...several, ...words];
