/** What comes later, in English: what is said by the parts that are loaded when they are first shown. */
import type { ErrorCode } from '../../contracts/error-code';
import type { EgressFailure } from '../../contracts/egress';
import type { TurnEnd } from '../../contracts/turn';
import type { ToolFailure } from '../../contracts/tool-failure';
import type { ListReason, ToolSearchMode } from '../../contracts/tool';
import type { PrefillReason } from '../../contracts/model';
import type { DeletableKind, StoredKind } from '../../contracts/store';
import type { AskReason } from '../../contracts/permission';
import type { RecoveryStep } from '../../contracts/model-library';
import type { LeftBy } from '../../state/app.svelte';
import type { ChatNotice } from '../../state/turn-recorder';
import type { CallStatus } from '../../state/turns';
import { enChats } from './en-chats';
import { enDictation } from './en-dictation';
import { enExam } from './en-exam';
import { enBackupErrors, enBackup } from './en-backup';
import { enCommand, enPromptErrors } from './en-command';
import { enChatFile } from './en-chat-file';
import { enBrowserErrors, enBrowser } from './en-browser';
import { enEndpointErrors, enEndpoints } from './en-endpoints';
import { enFiles } from './en-files';
import { enModels } from './en-models';
import { enPersonas } from './en-personas';
import { enFind, enSearch } from './en-search';
import { enReading } from './en-reading';
import { enServers } from './en-servers';
import { enFindSettings } from './en-settings';
import { enTrace } from './en-trace';
import { plural } from './en';

/** What happened, what was kept, and the next step, in that order. */
const errors = {
  'part-missing': () => 'A part of Hearth could not be loaded. Nothing is lost. Go online, then try again.',
  'model-unreachable': (model: string) =>
    `${model}’s file could not be fetched. Your chats are kept. Go online once, then try again; after that it works offline.`,
  'model-missing': (model: string) =>
    `${model} could not be fetched: the site that hosts Hearth has no such file. Your chats are kept. Try again later, or choose another model.`,
  'model-damaged': (model: string) =>
    `${model}’s file arrived damaged or cut off. Your chats are kept. Try again; if it stays so, the site that hosts Hearth needs fixing.`,
  'browser-too-old': (model: string) =>
    `This browser lacks what ${model} needs to run. Your chats are kept. Update the browser, or open Hearth in Chrome or Edge 137 or newer.`,
  'engine-moved': (model: string) =>
    `${model} ran in another tab, which is closed or asleep. What had arrived is kept. Continue, and ${model} starts in this tab.`,
  'engine-timeout': (model: string) =>
    `${model} did not answer in time. What had arrived is kept. Close other heavy tabs, then try again.`,
  'engine-crashed': (model: string) =>
    `${model} broke down, often for lack of memory. What had arrived is kept. Close other tabs, then try again.`,
  'model-not-downloaded': (model: string) =>
    `${model} is not on this device, or not all of it. Your chats are kept. Download it on the Models page, then try again.`,
  'library-unusable': (model: string) =>
    `The program that runs ${model} cannot be used: it is damaged, or made for another version of the engine. Your chats are kept. Delete the model and download it again, or choose another.`,
  'gpu-missing': (model: string) =>
    `${model} runs on the graphics chip, and this browser offers none (WebGPU). Your chats are kept. Turn on graphics acceleration in the browser's settings, or choose a model that runs on the processor.`,
  'gpu-unfit': (model: string) =>
    `This device's graphics chip lacks something that ${model} needs. Your chats are kept. Choose its variant for all graphics chips, or a smaller model.`,
  'gpu-lost': (model: string) =>
    `The browser took the graphics chip away from ${model}: browsers do so when the device has slept, when its driver is renewed, or when memory is short. What had arrived is kept. Try again; if it comes back, close other heavy tabs or choose a smaller model.`,
  'out-of-memory': (model: string) =>
    `${model} needs more memory than there is. What had arrived is kept. Close other heavy tabs and try again, or choose a smaller model.`,
  'model-garbled': (model: string) =>
    `${model} wrote something that is not text: this graphics chip computes wrongly. Your chats are kept. Choose its variant with 32-bit numbers on the Models page, or a smaller model.`,
  'model-elsewhere': (model: string) =>
    `${model} was not started: another tab has a model on the graphics chip, and a second one needs as much memory again. Your chats are kept. Use that tab, close it and try again, or use the model here too.`,
  'load-cancelled': (model: string) =>
    `You cancelled the start of ${model}. Your question is kept. Start ${model}, then continue.`,
  'message-too-long': (model: string) =>
    `This message is longer than ${model} can read at once. It is kept. Shorten it, or ask in parts.`,
  'tools-too-long': (model: string) =>
    `The tools that are on take so much of what ${model} can read that your message does not fit. It is kept. Switch some off, or unpin some.`,
  'storage-unavailable': () =>
    'The browser does not let Hearth store anything here. What is on the screen stays until the tab closes. Allow storage for this site, then reload.',
  'storage-newer': () => 'These chats were written by a newer Hearth. They are untouched. Reload to get it.',
  'storage-full': () =>
    'This device has no room left for Hearth. What is on the screen is kept while the tab is open. Free some space or delete chats.',
  'chat-deleted': () =>
    'This chat was deleted in another tab, so nothing more of it is stored. Copy what you want to keep.',
  'notes-full': () =>
    'There are 2,000 notes, and no more can be kept. Yours was not added. Delete some that you no longer need, then add it again.',
  'note-deleted': () =>
    'This note was deleted in another tab, so your change has nowhere to go. Copy the text, and add it as a new note.',
  'storage-shortened': () =>
    'The browser gave back less than was stored. What was found is kept. See the notice at the top.',
  'search-broken': () =>
    'The index by which chats are found cannot be used. Your chats are kept. Build it again where chats are searched.',
  ...enEndpointErrors,
  ...enBrowserErrors,
  ...enBackupErrors,
  ...enPromptErrors,
} satisfies Record<ErrorCode, (model: string, detail: string) => string>;

const ends = {
  stopped: () => 'You stopped this answer.',
  failed: (model: string) => `${model} could not finish this answer. What had arrived is kept.`,
  'cut-off': (model: string) => `${model} reached the longest answer it can write at once.`,
  'invalid-call': (model: string) =>
    `${model} kept asking for a tool in ways that cannot be carried out, so its answer was ended here.`,
  'round-limit': () => 'This took as many tool steps as Settings allows for one question.',
  looped: (model: string) => `${model} began to repeat itself, so its answer was ended here.`,
  'call-limit': () => 'This used all the tool calls that one question may make.',
  steered: () => 'You went on before this was answered.',
} satisfies Record<Exclude<TurnEnd, 'answered'>, (model: string) => string>;

const statuses = {
  writing: 'being written',
  queued: 'waiting its turn',
  'waiting-for-approval': 'waiting for you',
  running: 'running',
  done: 'done',
  refused: 'not allowed',
  failed: 'failed',
  unanswered: 'not run',
} satisfies Record<CallStatus, string>;

const failures = {
  refused: 'You did not allow this',
  'refused-often': 'Not asked again: you did not allow it',
  stopped: 'You stopped this',
  offline: 'This device is offline. Connect to the internet, then ask again.',
  address:
    'Hearth may not connect to this address. For a server of your own, see “Allowed addresses” in Settings.',
  unreachable:
    'The page could not be reached from here. Open it in a tab, or set a proxy for pages in Settings.',
  'slow-server': 'The server did not answer in time. Try again later.',
  status: 'The server refused. Check the address, or try again later.',
  'wrong-type': 'This is not a page or text that can be read.',
  'no-text': 'The page holds no text that can be read.',
  'no-provider': 'No search provider is switched on. Switch one on under Settings, “Web search”.',
  'time-limit': 'It took too long and was stopped.',
  'call-limit': 'This answer has used all its tool calls. Ask again to go on.',
  'search-limit': 'The model has searched for tools as often as it may in one answer.',
  'agent-limit':
    'This answer has asked as many agents, or used as many rounds, as it may. Ask again to go on.',
  'agent-circle': 'This agent is at work on the answer already, so it was not asked again.',
  agent: 'The agent came to no answer. Ask again, or choose a larger model.',
  'agent-form':
    'The agent gave no answer of the form that its persona wants. Ask again, or choose a larger model.',
  interrupted: 'This was interrupted, and may or may not have been done. Check before you ask for it again.',
  'no-such-tool': 'The model asked for a tool that this chat does not have.',
  arguments: 'The model used this tool in a way that the tool does not understand.',
  sum: 'This cannot be worked out.',
  place: 'This place is not known. Name a large city, a country or a time zone.',
  town: 'No town of this name is known. Name a larger one nearby, and its country after a comma.',
  'note-too-long':
    'A note has at most 2,000 characters, and this one is longer. Ask for a shorter one, or for several.',
  'notes-full': 'There are 2,000 notes, and no more can be kept. Delete some under “Notes”, then ask again.',
  server: 'The server could not do it. Details say what it says.',
  'server-away': 'The server of this tool cannot be used now. The page Tools says why.',
  'server-lost':
    'The connection broke off before the answer came: it may or may not have been done. Check before you ask for it again.',
  code: 'The code of this tool failed. Details say where.',
  result: 'The tool gave back something that cannot be used.',
  missing: 'What does this could not be loaded. Go online, then ask again.',
  failed: 'This did not work. Details say more.',
} satisfies Record<ToolFailure, string>;

const reasons = {
  'first-search': 'The model wants to search the web. What it searches for goes to the search service.',
  'search-after-outside-text':
    'The model wants to search the web. Text from outside is in this chat and may have told it what to search for: see that the words below give nothing away.',
  'new-host':
    'The model found this address in a text from outside. Hearth has not connected to this host for this question.',
  'many-addresses':
    'This address stands in your words or in a text from outside. The model has told several servers something already, and which it follows can tell their server something: see that you want this one read.',
  'composed-url': 'The model wrote this address itself; it is neither in your words nor in a result.',
  'composed-url-after-outside-text':
    'The model wrote this address itself. Text from outside is in this chat and may have told it what to put in: see that the address gives nothing away.',
  'built-in-hosts': 'This asks the hosts below. They learn the arguments, and nothing else of this chat.',
  'tool-hosts': 'This tool wants to reach the hosts below, and decides itself what to send them.',
  'tool-hosts-after-outside-text':
    'This tool wants to reach the hosts below. Text from outside is in this chat and may have told the model what to send: see that the arguments give nothing away.',
  'composed-text':
    'You allowed this tool, but text from outside is in this chat and may have told the model what to send. What it chose here is more than is sent unasked: see that the arguments give nothing away.',
  'side-effect': 'This changes something, and Hearth cannot undo it.',
  note: 'The model wants to keep this as a note. It stays on this device and can be read in any chat; you change or delete it under “Notes”.',
  'note-after-outside-text':
    'The model wants to keep this as a note. Text from outside is in this chat and may have told it what to write, and a note is read again in other chats: see that it says what you want kept, and no more.',
  remote: 'This tool runs on a server. Its arguments go there, and nothing else of this chat.',
  'remote-after-outside-text':
    'This tool runs on a server. Its arguments go there. Text from outside is in this chat and may have told the model what to send: see that the arguments give nothing away.',
  'agent-server':
    'This agent’s model answers on a server. What the agent is asked goes there, with what it finds out, and nothing else of this chat.',
  'agent-server-after-outside-text':
    'This agent’s model answers on a server. What the agent is asked goes there, with what it finds out. Text from outside is in this chat and may have told the model what to ask: see that the request gives nothing away.',
  unasked: 'This one may run as it is: it asks nobody, or you have allowed it.',
  'remote-carries':
    'This tool runs on a server. What it sends holds text that came from elsewhere, shown below: see that you want the server to have it.',
} satisfies Record<AskReason, string>;

const chatNotices = {
  'second-chance': (model: string) =>
    `${model}’s request to a tool could not be carried out, so it was asked once more.`,
  'tool-off': () => 'You refused a tool three times, so it is off until your next question.',
  'searched-first': (model: string) =>
    `Your question was searched for before ${model} was asked, as Settings says.`,
  'words-only': () =>
    'Tools could not be found by meaning: the model that is chosen for it on the Tools page could not be used. They are found by their words.',
  'other-tab': () =>
    'This chat is being answered in another tab, so nothing was asked here. Wait for the answer, then ask again.',
} satisfies Record<ChatNotice, (model: string) => string>;

/** What happened to a model, after its name. */
const recoveryReasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  'engine-crashed': 'broke down',
  'engine-timeout': 'stopped responding',
  'engine-moved': 'ran in a tab that is closed or asleep',
  'gpu-lost': 'lost the graphics chip',
  'out-of-memory': 'ran out of memory',
  'model-garbled': 'wrote something that is not text',
  'gpu-missing': 'found no graphics chip',
  'gpu-unfit': 'does not fit this graphics chip',
  'library-unusable': 'came with a program that cannot be used',
  'model-damaged': 'is damaged',
  'model-not-downloaded': 'is not on this device any more, or not all of it',
  'model-unreachable': 'could not be fetched',
  'model-missing': 'is missing where Hearth is served from',
  'browser-too-old': 'cannot run in this browser',
  'message-too-long': 'had too little room left for this message',
};

const recoverySteps = {
  'fresh-worker': () => 'It was started again and goes on.',
  moved: () => 'It was started in another tab and goes on.',
  'less-context': (_: string, tokens: string) =>
    `It was started again with less room: it reads ${tokens} tokens at once now.`,
  'f32-twin': () => 'Its variant with 32-bit numbers answers instead.',
  'smaller-model': (model: string) => `${model}, a smaller model on this device, answers instead.`,
  'built-in': (model: string) => `${model}, the built-in model, answers instead.`,
} satisfies Record<RecoveryStep['rung'], (model: string, tokens: string) => string>;

export const enLate = {
  errors,
  ends,
  statuses,
  failures,
  chatNotices,
  firstSteps: {
    label: 'First steps',
    place: (step: number, count: number) => `${step} of ${count}`,
    what: 'No account, no server: an answer is written by your own machine, and nothing leaves it without your OK.',
    now: 'It works sums out exactly, knows the time anywhere, keeps notes, and reads a page, searches the web or looks up the weather where you allow it. Press an example below; “tools” at the message box shows all of it.',
    more: 'A larger model can hold a conversation, write, code, and use several tools for one question.',
    looking: 'Looking at what this device can run…',
    forDevice: (name: string, size: string) =>
      `For this device: ${name}, a download of ${size}, kept for offline use.`,
    noneFits: 'None of those we know fits this device; one on a server of your own can be added.',
    models: 'See the models',
    next: 'Next step',
    back: 'Step back',
    skip: 'Skip the steps',
    done: 'Start asking',
  },
  tools: {
    label: 'Tools in this chat',
    none: 'Every tool is off: the model knows of none, and none can run.',
    later: 'A change takes effect with your next question.',
    /** Asked for by a press, of the tools that are on. */
    askable: {
      title: 'What can I ask?',
      intro: (model: string) => `Questions that ${model} answers with the tools that are on in this chat.`,
      persona: (name: string) => `${name} has only some of them.`,
      small: 'It is a very small model: what needs no tool is mostly beyond it.',
      large: 'It can also be asked anything that needs no tool: to write, explain, translate or sum up.',
      none: 'No tool that is on brings a question along. Tools are switched on beneath the message box.',
      more: 'All tools',
      examples: {
        calculator: 'What is 17 times 23?',
        clock: 'What time is it in Tokyo?',
        weather: 'The weather in Rome this week',
        fetch_page: 'What does https://example.com say?',
        web_search: 'Search for northern lights',
        remember: 'Remember that my wifi is called Heron',
        recall: 'What did I tell you about my wifi?',
        run_javascript: 'Sort these by length: fig, banana, kiwi',
      } as Readonly<Record<string, string>>,
    },
    descriptions: {
      calculator: 'Works out sums exactly.',
      clock: 'Tells the date and time, here or in a city.',
      fetch_page: 'Reads a web page.',
      recall: 'Finds your notes.',
      remember: 'Keeps a note on this device. You see each before it is kept.',
      find_tools: 'Finds tools that the model is not shown from the start.',
      read_result: 'Gives further parts of a result that was too long.',
      read_attachment: 'Gives further parts of an attached file, by what is looked for.',
      query_table: 'Filters, sorts, counts and sums the rows of an attached table (CSV or JSON).',
      weather: 'Tells the weather in a place, up to seven days ahead. From Open-Meteo.',
      run_javascript: 'Runs code that the model writes, in a sandbox. Needs a larger model.',
      web_search: 'Searches the web.',
    } as Readonly<Record<string, string>>,
    titles: {
      calculator: 'Calculator',
      clock: 'Clock',
      fetch_page: 'Read a page',
      recall: 'Recall',
      remember: 'Remember',
      find_tools: 'Find tools',
      read_result: 'Read on in a result',
      read_attachment: 'Read an attached file',
      query_table: 'Ask a table',
      weather: 'Weather',
      run_javascript: 'JavaScript',
      web_search: 'Web search',
    } as Readonly<Record<string, string>>,
    intro: 'What the model can use. Each tool can be switched off in a chat, below its message box.',
    here: 'Runs in this tab; nothing leaves this device.',
    outside: 'Reaches outside, where you allow it. Every request is listed in Settings.',
    inNewChats: 'Defaults for new chats; change them per chat below the message box.',
    unused: 'Not used yet.',
    between: ' ',
    used: (calls: number, failed: number, mended: number, average: string) =>
      [
        plural(calls, 'call', 'calls'),
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(mended > 0 ? [`${mended} repaired`] : []),
        `${average} on average`,
      ].join(', '),
    loading: 'Loading the tools.',
    providers: 'Search providers',
    listed: (listed: string, on: string, saved: string) => `${listed} of ${on} listed, ${saved} tokens saved`,
    byPage: (model: string) => `${model} is shown what is pinned and the few tools that fit your words.`,
    byModel: (model: string) =>
      `${model} is shown what is pinned, and used or named in this chat. It searches for the others when it needs one.`,
    search: 'Search instead of listing all',
    searchModes: {
      always: 'always',
      'when-needed': 'when there are many',
      never: 'never',
    } satisfies Record<ToolSearchMode, string>,
    filter: 'Search these tools',
    meaning: {
      label: 'Find tools by meaning too, with',
      off: 'off',
      cost: 'When you or a model search: the chosen model first reads every tool once, on this device. That takes memory beside the model that answers, and minutes where it is large or tools are many; until then tools are found by their words. How well it finds was not measured.',
      failed:
        'The model that is to find tools by meaning could not be used, so they are found by their words. Choose another on the Tools page, or reload the page to try again.',
    },
    more: (count: string) => `${count} more. Search for them above.`,
    noneFound: 'No tool found. Try another word.',
    showMore: (count: string) => `Show more of the ${count} left`,
    filterLabel: 'Show',
    filters: { all: 'all', on: 'switched on', off: 'switched off' },
    pin: (name: string) => `Always list ${name}`,
    because: (names: string, reason: string) => `${names} (${reason})`,
    reasons: {
      pinned: 'pinned',
      used: 'used in this chat',
      found: 'found in this chat',
      named: 'named in the request',
      best: 'fits best',
      close: 'fits about as well as the best',
    } satisfies Record<ListReason, string>,
  },
  notes: {
    intro:
      'What you want to be remembered. Notes stay on this device; a model is shown one only when it looks for it to answer you.',
    none: 'No notes yet. In a chat, say “Remember that …”: you are asked before a note is kept. “What did I tell you about …?” finds it again, in any chat. Or write one here.',
    new: 'New note',
    add: 'Add note',
    list: 'Your notes',
    search: 'Search these notes',
    count: (count: string, isOne: boolean) => (isOne ? '1 note' : `${count} notes`),
    found: (count: number) =>
      count === 0 ? 'No note has these words. Try another word.' : `${plural(count, 'note', 'notes')} found`,
    editing: 'Edit note',
    edit: (note: string) => `Edit: ${note}`,
    save: 'Save',
    delete: (note: string) => `Delete: ${note}`,
    deleteConfirm: 'Delete note',
    beside: (hosts: string) =>
      `Written by a model while text from ${hosts} was in the chat; it may hold some of it.`,
    tooLong: (most: string, length: string) =>
      `A note has at most ${most} characters, and this is ${length}. Shorten it, or make two of it.`,
    damaged: 'A note cannot be read and is left out. Its data is still on this device.',
    removeDamaged: 'Remove it',
    more: (count: string) => `Show more of the ${count} left`,
  },
  unfinished: {
    text: 'You wrote this earlier and did not finish. It was kept on this device.',
    butKeys: 'You wrote this earlier and did not finish. It was kept on this device, without any key.',
  },
  editor: {
    newTool: 'New tool',
    own: 'Your own',
    noOwn: 'None yet. A tool is a few lines of JavaScript that the model can call.',
    import: 'Import',
    edit: 'Edit',
    back: 'All tools',
    damaged: (name: string) =>
      `${name === '' ? 'A tool' : name} cannot be read and is left out. Its data is still on this device.`,
    removeDamaged: 'Remove it',
    classes: {
      pure: 'Only computes',
      'net-read': 'Reads the web',
      'side-effect': 'Changes things',
    },
    classHints: {
      pure: 'No network. It runs without asking.',
      'net-read': 'Gets from the hosts you name. You are asked first.',
      'side-effect': 'May also send to the hosts you name. You are asked each time.',
    },
    hostList: (hosts: string) => `Hosts: ${hosts}.`,
    noHosts: 'No network.',
    builtIn: 'Built in',
    gallery: 'Gallery',
    galleryIntro: 'Ten tools to use as they are, or to begin your own from.',
    take: 'Preview',
    taken: 'Added.',
    open: 'Open',
    /** By the name of a tool: what a person reads of it, where that is not English. */
    fromGallery: {} as Readonly<Record<string, { title: string; description: string; request: string }>>,
    preview: {
      import: 'Keep this tool?',
      gallery: 'Add this tool?',
      text: 'It arrives switched off. Read what it does before you switch it on.',
      galleryText: 'It is switched on at once, and can be edited like your own.',
      keep: 'Keep, switched off',
      add: 'Add',
      does: 'Description',
      class: 'Access',
      hosts: 'Connects to',
      secrets: 'Wants keys for',
      source: 'Its source',
      whole: 'All that the model is told, and the rest of the file',
      broken: 'It cannot be kept:',
    },
    unreadable: (reason: string) => `This file cannot be imported. ${reason}`,
    fileProblems: {
      'too-large': 'It is too large for a tool. Choose a file that Hearth exported.',
      'not-json': 'It is not JSON. Choose a file that Hearth exported; its name ends in .hearth-tool.json.',
      'other-kind': 'It is not a tool of Hearth. Choose a file whose name ends in .hearth-tool.json.',
      newer: 'It is from a newer Hearth. Reload this page for the newest, then import it again.',
      damaged: 'Something in it is missing or wrong. Ask for it to be exported again. What was found:',
      'not-read': 'It took too long to check, or the check broke off. Try once more.',
    },
    missing: 'This tool is not on this device.',
    loading: 'Loading the tool.',
    untitled: 'New tool',
    start: {
      name: 'roll_a_die',
      title: 'Roll a die',
      description:
        'Rolls a die and gives the number. Use it when someone wants to roll a die or leave something to chance.',
      meaning: 'How many sides it has',
      example: 'Roll a die with 20 sides',
      code: `// args: what the model fills in. The parameters above say what that is.
const sides = args.sides ?? 6;
const rolled = 1 + Math.floor(Math.random() * sides);

// For you, shown in the test. The model does not see it.
console.log('sides:', sides);

// What is returned goes to the model, which answers with it.
return \`\${rolled} of \${sides}\`;`,
    },
    howTo: 'How to write a tool',
    intro: 'This one works: press Run. Then make it yours.',
    fields: {
      name: 'Name',
      nameHint: 'Used by the model: small letters, digits and _.',
      title: 'Title',
      titleHint: 'Shown to you.',
      description: 'Description',
      keywords: 'Search terms',
      keywordsHint:
        'Other words people ask for it by, between commas, in any language. Used to find the tool among many.',
      inputSchema: 'Parameters (JSON Schema)',
      outputSchema: 'Result schema (JSON, optional)',
      code: 'Code',
      codeHint:
        'The body of an async function with args and host. What it returns is what the model gets. A thrown error is told to the model: say in it what to do instead.',
      class: 'Access',
      hosts: 'Hosts',
      hostsHint:
        'Full names, one per line: api.example.org. The code reaches them with host.fetch(url, options).',
      secrets: 'Keys',
      examples: 'Examples',
      limits: 'Limits',
      timeMs: 'Time limit (ms)',
      outputCharacters: 'Longest answer (characters)',
      hostCalls: 'Requests per run',
    },
    hints: {
      empty: 'Say in a sentence what it does and when to use it. This is all the model goes by.',
      short: 'A little more: what it takes, and what comes back.',
      when: 'Good. Better still: say when to use it, such as “Use it when …”.',
      long: 'Long for a small model: the first sentence counts most.',
      good: 'Good: it says what it does and when to use it.',
    },
    parameters: {
      title: 'Parameters',
      hint: 'What the model fills in. The form and the JSON below are the same thing.',
      broken: 'The JSON below is not complete yet. The form comes back when it is.',
      add: 'Add a parameter',
      addInner: 'Add a field',
      key: 'Key',
      type: 'Type',
      types: {
        string: 'text',
        number: 'number',
        integer: 'whole number',
        boolean: 'true or false',
        array: 'list',
        object: 'object',
      },
      items: 'List of',
      required: 'Required',
      meaning: 'Meaning',
      more: 'More',
      keywords: {
        enum: 'Choices, separated by commas',
        default: 'Default',
        minimum: 'Minimum',
        maximum: 'Maximum',
        minLength: 'Min length',
        maxLength: 'Max length',
        minItems: 'Min items',
        maxItems: 'Max items',
        pattern: 'Pattern',
      } as Readonly<Record<string, string>>,
      remove: (name: string) => `Remove ${name}`,
    },
    secrets: {
      hint: 'The code writes { auth: "KEY" }; the value goes into a header to one host and nowhere else: not to the code, the model, a log or a file.',
      add: 'Add a key',
      label: 'Key',
      host: 'For',
      header: 'Header',
      value: 'Value',
      kept: 'A value is kept.',
      none: 'No value yet.',
      keep: 'Keep the value',
      forget: 'Forget the value',
      remove: 'Remove',
    },
    test: {
      label: 'Test',
      stop: 'Stop',
      hint: 'Runs the code as it stands, saved or not.',
      none: 'No parameters.',
      run: 'Run',
      running: 'Running…',
      result: 'Result',
      logs: 'Log',
      time: (time: string) => `It took ${time}.`,
      keep: 'Keep as an example',
      more: (characters: string) => `${characters} more characters are not shown.`,
      listHint: 'One per line',
      optional: 'optional',
      jsonHint: 'As JSON',
    },
    examples: {
      hint: 'Checks of your tool. One with a request is shown to small models too.',
      request: 'How a person asks',
      arguments: 'Arguments (JSON)',
      result: 'Expected result (JSON)',
      add: 'Add an example',
      try: 'Try all',
      use: 'Use in the test',
      remove: 'Remove',
      right: 'Passed',
      wrong: (text: string) => `Failed: ${text}`,
    },
    versions: {
      title: 'Earlier versions',
      compare: 'Compare',
      hide: 'Hide',
      restore: 'Restore',
      same: 'The same as now.',
      diff: 'What is different now',
    },
    save: 'Save',
    saved: 'Saved.',
    unsaved: 'Not saved yet. What you wrote is kept on this device.',
    discard: 'Discard changes',
    export: 'Export',
    delete: 'Delete',
    problems: 'It cannot be saved yet:',
    problemAt: (field: string, place: string, line: number | undefined) =>
      `${field}${place === '' ? '' : ` (${place})`}${line === undefined ? '' : `, line ${line}`}`,
    problemCodes: {
      'name-form': 'Small letters, digits and _, beginning with a letter, at most 64.',
      'name-taken': 'Another tool has this name.',
      'name-reserved': 'This name means something else to models.',
      'title-missing': 'Give it a title.',
      'description-short': 'Say what it does and when to use it.',
      'too-long': 'This is too long.',
      schema: 'This schema cannot be used.',
      pattern: 'This pattern cannot be used.',
      'code-missing': 'Write what it does.',
      syntax: 'The code cannot be read.',
      'host-form': 'This is not a host name.',
      'hosts-missing': 'Name each host it reads.',
      'hosts-pure': 'A tool that only computes has no hosts.',
      'secret-form': 'This key is not complete.',
      'secret-host': 'This key is for a host that is not among the hosts.',
      'secret-header':
        'This header cannot carry a key. Use the one that the service names, such as Authorization or X-Api-Key.',
      limit: 'This limit is out of range.',
      example: 'This example does not fit.',
    },
  },
  recovery: {
    reasons: recoveryReasons,
    unknown: 'could not go on',
    because: (model: string, reason: string) => `${model} ${reason}.`,
    steps: recoverySteps,
    missing: (id: string) => `Its variant ${id} may run here: it can be downloaded on the Models page.`,
    between: ' ',
    tryAgain: (model: string) => `Try ${model} again`,
  },
  choice: {
    title: 'Did you mean',
    none: 'None of these',
    unsure: 'unsure',
  },
  waiting: {
    idle: (model: string) => `This waits for ${model}, which is not running.`,
    failed: (model: string) => `This waits for ${model}, which did not start.`,
    other: (model: string) => `${model} is busy in another chat. This comes next.`,
    reading: (model: string) => `${model} is reading`,
    readingPrompt: (percent: string, seconds: string) =>
      `Reading the prompt, ${percent} %, about ${seconds} s`,
    writing: (model: string) => `${model} is writing`,
    slow: (model: string) => `${model} is still working. You can wait or stop it.`,
    otherTab: (model: string) => `${model} answers in another tab first.`,
    choice: (model: string) => `${model} is not sure what you mean. Choose one above.`,
    summingUp: (model: string) => `${model} is summing up the earlier part of this chat`,
    finished: 'The answer is complete.',
  },
  shortcuts: {
    send: 'Send the message',
    newLine: 'New line in the message',
    editLast: 'Edit your last question, from an empty message box',
    stop: 'Stop the answer, close what is open',
    slash: 'At the beginning of the message: your prompts, and what servers offer',
    everywhere: 'Everywhere',
    writing: 'Where one writes',
    none: 'None of these is the browser’s, but two, which are its own again when pressed once more.',
    /** Where the screen reader may be Orca. */
    orca: (palette: string) =>
      `The Orca screen reader has some of these for itself in its browse mode. In its focus mode, where it is in the message box, they work here; ${palette} does everything in both.`,
    find: 'Find in this chat; pressed again, the browser’s own search',
    undo: 'Undo what was just deleted, from outside a text',
    skip: 'First press on a page: skip to the message box',
  },
  command: enCommand,
  reading: enReading,
  dictation: enDictation,
  trace: enTrace,
  draft: {
    tooLong: (model: string) =>
      `This is longer than ${model} can read at once. Shorten it, or choose a larger model.`,
    largerModels: 'Models',
  },
  turn: {
    startModel: (model: string) => `Start ${model}`,
    startAgain: 'Try again',
    chooseTools: 'Choose tools',
    showAll: 'Show all',
    showLess: 'Show less',
    suggestions: 'You can ask',
    you: 'You',
    hearth: 'Hearth',
    thinking: 'Thinking…',
    thought: 'Thought',
    unreadable: 'A request to a tool could not be read, so nothing was run.',
    again: 'Answer again',
    edit: 'Edit',
    delete: 'Delete',
    details: 'Details',
    editLabel: 'Edit your question',
    editHint: 'Replaces everything after this question.',
    ask: 'Ask',
    deleteQuestion: 'Delete this question?',
    deleteAnswer: 'Delete this answer?',
    deleteLast: 'It is deleted.',
    deleteText: 'It and everything after it are deleted.',
    interrupted: 'This answer was interrupted when the tab closed. What had arrived is kept.',
    interruptedEarly:
      'This was interrupted when the tab closed, before an answer came. Your question is kept.',
    elsewhere: 'This is being answered in another tab.',
    noAnswer: 'There is no answer to this question.',
    notStarted: (model: string) =>
      `${model} did not start, so there is no answer yet. Your question is kept.`,
    continue: 'Continue',
    retry: 'Retry',
    earlier: 'Show earlier messages',
    later: 'Show later messages',
    claims: {
      label: 'Not supported',
      values: 'Not from a result: ',
      valuesHint: '. The model wrote this by itself, so check it.',
      deeds: 'No tool did this: ',
      deedsHint: '. It is said to be done, and most likely is not.',
      between: ', ',
      more: (count: string) => ` and ${count} more`,
    },
  },
  summary: {
    name: 'Summary of the earlier part',
    above: 'What stands above is summed up for the model',
    line: (turns: number) =>
      turns === 1
        ? 'The first question and its answer are summed up for the model'
        : `The first ${turns} questions and their answers are summed up for the model`,
    hint: 'This chat has outgrown what the model can read at once. All of it is kept, and stands above; the model reads this in its place, and everything below word for word.',
    range: (from: string, to: string) => `From “${from}” to “${to}”.`,
    only: (question: string) => `“${question}”.`,
    byModel: (model: string) => `Written by ${model}; it may have left something out.`,
    byBoth: (model: string) =>
      `Its first part was written by ${model}, and may have left something out; the rest was put together by Hearth, word for word from the chat.`,
    byRule: 'Put together by Hearth, word for word from the chat.',
    outside: (hosts: string) => `It is based on text from ${hosts}.`,
    between: ', ',
  },
  call: {
    arguments: 'Arguments',
    result: 'Result',
    repairs: 'Repaired',
    kept: (age: string) => `Kept from an earlier call, ${age} old.`,
    again: 'Again',
    tokens: (count: string) => `${count} tokens`,
    answeredBy: (model: string, place: string) => `Its model: ${model}, ${place}.`,
    noteKept: 'kept',
    notesFound: (count: number) => (count === 0 ? 'no note found' : plural(count, 'note', 'notes')),
    cut: (given: string, all: string) => `The model was given ${given} of ${all} characters.`,
    showWhole: 'Show all of it',
    wholeTitle: (tool: string) => `Whole result of “${tool}”`,
    wholeText: 'Result',
    wholeGone: 'The whole result is not kept any more.',
    wholeUnreadable: 'The whole result could not be read.',
    copyWhole: 'Copy all of it',
    lost: {
      full: 'The rest was not kept: there is no room left for results in this browser. Deleting old chats makes room.',
      'too-long': 'The rest was not kept: it is longer than the 4 MB that are kept of a result.',
    },
  },
  link: {
    title: (host: string) => `Open ${host}?`,
    hint: 'A model wrote this link. What its address holds is told to that server, so see that it gives nothing away.',
    hintOfServer:
      'A server gave this link. What its address holds is told to the host below, so see that you want to go there.',
    address: 'Address',
    open: 'Open in a new tab',
  },
  approval: {
    title: (tool: string) => `Allow “${tool}”?`,
    reasons,
    otherChat: (title: string) => `Asked by another chat: “${title}”.`,
    lastChance: 'You have refused this tool twice. If you refuse again, it is off until your next question.',
    tool: 'Tool',
    path: 'Asked by',
    goesTo: 'Goes to',
    via: 'Or through',
    writtenAs: (letters: string) => `(shown as “${letters}”)`,
    address: 'Address',
    queryHint: 'The marked part is sent along, and can hold anything the model has read.',
    query: 'Search words',
    note: 'Note',
    arguments: 'Arguments',
    sources: 'This chat has read',
    noSources: 'nothing from outside',
    extent: (length: string, below: string | undefined) =>
      `${length} characters${below === undefined ? '' : `, ${below} of them below`}`,
    readFirst: 'Scroll through all of it first.',
    deny: 'Deny',
    once: 'Allow once',
    chat: 'Allow in this chat',
    always: (host: string) => `Always allow ${host}`,
  },
  notices: {
    shareLost:
      'What was shared with Hearth could not be kept: the browser has no room for it, or too much was waiting already. What waited is in your drafts now. Make room under “Storage” in Settings if it is full, then share it again.',
    updatePhases: {
      ready: 'A new version is ready.',
      applying: 'The new version takes over…',
      held: 'The old version is still at work on something and has not let the new one in. It comes in by itself when that has ended, or when every tab of Hearth has been closed.',
    },
    updateNews: 'What is new:',
    updateMore: (count: number) => `and ${count} more`,
    updateNow: 'Update now',
    updateLater: 'You can update when the answer in progress is done.',
    memory:
      'This browser keeps nothing beyond this visit, as in a private window. Chats work until the tab closes. Allow storage for this site to keep them.',
    unreadable:
      'What Hearth stored in this browser cannot be opened, so it is not shown, and this visit is not kept. Nothing was deleted. Close the browser and open it again. If that does not help, delete everything in Settings, then import a backup.',
    startAfresh: 'Open Settings',
    newer:
      'These chats were written by a newer Hearth. They are untouched, and not shown here. Reload to get the new version.',
    blocked: 'An older Hearth is open in another tab. Your chats are kept. Close that tab to see them here.',
    closed: {
      updated: 'Hearth was updated in another tab. What is stored is kept. Reload to go on here.',
      deleted:
        'Everything was deleted in another tab. What you still see is not stored anywhere. Reload to start afresh.',
      lost: 'The browser has closed Hearth’s storage. What you see is kept while this tab is open. Copy what matters, then reload.',
    },
    shortened: (found: number, expected: number) =>
      `The browser gave back less than Hearth had stored: ${found} of ${plural(expected, 'message', 'messages')}. What was found is shown. Close other Hearth tabs and reload to look once more, or go on with this.`,
    accept: 'Go on with this',
    restore: 'Restore from a backup',
    nearlyFull:
      'The room that this browser gives Hearth is nearly used up. Make some before something cannot be stored: models take the most.',
    seeStorage: 'See what takes room',
    later: 'Not now',
    saveAgain: 'Store it now',
    unsaved:
      'Not everything on this screen is stored. Keep this tab open, copy what matters, and free some space on this device.',
    damaged: (count: number) =>
      `${plural(count, 'message', 'messages')} of this chat could not be read. What was stored is set aside; the rest is shown.`,
    offline: 'You are offline.',
    fault: 'Something broke in Hearth. What was stored is kept. Reload to go on.',
    diagnostics: 'Copy diagnostics',
    dropped: (model: string) =>
      `The start of this chat no longer fits. All of it is kept, but ${model} now sees only the last part.`,
  },
  settings: {
    back: 'Back to the chat',
    language: 'Language',
    ofBrowser: (name: string) => `Browser default (${name})`,
    appearance: 'Appearance',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    contrast: 'Contrast',
    contrasts: { system: 'As the system', more: 'High' },
    textSize: 'Text size',
    textSizes: { small: 'Small', normal: 'Normal', large: 'Large', larger: 'Larger', largest: 'Largest' },
    rounds: 'Tool steps per question',
    roundsHint: 'How often the model may use tools and think again before it must answer you: 1 to 32.',
    roundsError: (kept: number) => `This must be a whole number from 1 to 32. ${kept} still counts.`,
    claims: 'Check answers against results',
    claimsHint:
      'After an answer that used a tool, numbers and dates that stand in no result and in none of your messages, and do not follow from them, are underlined and named below it. So is what an answer says it has done without a tool. It is found on this device, and not all of it is.',
    addresses: {
      title: 'Allowed addresses',
      hint: 'Tools reach only encrypted addresses on the public internet. One of your own, such as a server at home, can be allowed here: that address, and no other.',
      none: 'None is allowed.',
      address: 'Address',
      allow: 'Allow',
      remove: (address: string) => `Remove ${address}`,
      problems: {
        scheme: 'The address must begin with http:// or https://.',
        wildcard: 'An address stands for itself alone. Write one without *, and allow several one by one.',
        credentials: 'Leave out the user name and password before the @.',
        path: 'Leave out what follows the host and port: the address allows all of its pages.',
        unreadable: 'This is not a valid address. Write it like http://192.168.1.5:8080.',
        known: 'This address is allowed already.',
      },
    },
    requests: {
      title: 'Requests',
      hint: 'The requests that Hearth sent to other servers, and those it refused to send. The newest 500 are listed, only on this device, without their contents.',
      none: 'Nothing has left this device.',
      time: 'Time',
      tool: 'Tool',
      host: 'Host',
      noHost: 'not an address',
      bytes: 'Sent / received',
      outcome: 'Outcome',
      answered: (status: number) => `Answered (${status})`,
      error: (status: number) => `Answered with an error (${status})`,
      failures: {
        offline: 'Not sent: offline',
        'refused-address': 'Not sent: refused address',
        'refused-request': 'Not sent: refused request',
        'refused-redirect': 'Led to a refused address',
        timeout: 'No answer in time',
        'wrong-type': 'Not a kind of text',
        'too-long': 'Broken off: too long',
        unreachable: 'Could not be read',
        stopped: 'Stopped',
      } satisfies Record<EgressFailure, string>,
      all: (count: number) => `Show all ${count}`,
      clear: 'Clear',
    },
    answers: {
      title: 'Answers',
      unsure: 'Ask when the model is not sure',
      unsureHint:
        'Ember can tell how sure it is of what it would do. Where it is not, it shows what you may have meant, with the results where nothing has to be asked for, and you choose. Off, it takes what came to it first.',
    },
    search: {
      title: 'Web search',
      text: 'Every provider that is on is asked at once, and what they find is put together. Your query goes to them, and your key only to its own provider.',
      on: 'Use it',
      /** Those that are no company's. */
      names: { template: 'Custom' } as Readonly<Record<string, string>>,
      url: 'URL',
      key: 'Key',
      showKey: 'Show',
      hideKey: 'Hide',
      perMinute: 'Searches in a minute',
      perMinuteError: 'This must be a whole number from 1 to 600.',
      urlError: 'This is not a valid address. One looks like https://search.example.org',
      templateError:
        'This is not an address with {query} in it. One looks like https://api.example.org/?q={query}',
      templateHint:
        '{query}, {count} and {language} stand for what is searched. A key is sent as a bearer token.',
      paths: {
        list: 'Path to the results',
        title: 'Path to a title',
        url: 'Path to a link',
        content: 'Path to a summary',
      },
      missing: 'Not used until this is filled in.',
      hints: {
        wikipedia: 'Free, needs no key, searches in the language of the query.',
        tavily: 'A search service made for models. Get a key from its makers.',
        searxng:
          'Your own server. Its JSON format must be on, and it must let other pages read it. Allow a private address below.',
        template: 'Any search that answers JSON.',
      } as Readonly<Record<string, string>>,
      try: 'Try it',
      trying: 'Asking',
      tried: (count: number) => `It works: ${plural(count, 'result', 'results')}.`,
      sample: 'northern lights',
      first: 'Search before the model answers',
      firstHint:
        'A question that plainly needs the web, such as one about the latest news, is searched for at once. It saves time.',
    },
    proxy: 'Proxy for pages',
    proxyHint:
      'Many pages do not let other pages read them. A proxy of your own can: it is asked for such a page, with the address put where {url} is, or at the end. It sees what you read.',
    proxyError: 'This is not a valid address. One looks like https://proxy.example.org/?url={url}',
    permissions: {
      title: 'Permissions',
      hint: 'What you allowed for more than one call. Each permission holds for one tool and one place. Once text from outside is in a chat, you are still asked about addresses that the model makes up.',
      none: 'Nothing is allowed for more than one call.',
      search: (provider: string) => `searches with ${provider}`,
      change: (host: string) => (host === '' ? 'changes something' : `changes something at ${host}`),
      always: 'In every chat',
      inChat: (title: string) => `In the chat “${title}”`,
      since: (scope: string, time: string) => `${scope}, since ${time}`,
      remove: 'Take back',
      removeName: (tool: string, place: string) => `Take back: ${tool}, ${place}`,
    },
    storage: 'Storage',
    measuring: 'Measuring',
    unmeasured: 'This browser does not say how much is stored.',
    used: (used: string, quota?: string) =>
      quota === undefined
        ? `Hearth keeps ${used} here.`
        : `Hearth keeps ${used} here; up to ${quota} may be used.`,
    persisted: 'The browser has promised not to clear it by itself.',
    notPersisted: 'The browser may clear it when the device runs short of space.',
    askToPersist: 'Ask the browser to keep it',
    persistDenied:
      'The browser has not promised it. Browsers promise it to pages that are installed, bookmarked or used often: install Hearth from the browser’s menu, or add a bookmark, and ask again.',
    parts: {
      caption: 'What takes how much',
      kind: 'What',
      bytes: 'How much',
      names: {
        chats: 'Chats',
        attachments: 'Attached files',
        results: 'Tool results kept whole',
        prompts: 'Prompts, for Details',
        models: 'Downloaded models',
        index: 'Index of the search',
        app: 'Hearth itself, for offline use',
        rest: 'Settings, tools, personas, notes',
      } satisfies Record<StoredKind, string>,
      delete: 'Delete',
      deleteName: (name: string) => `Delete: ${name}`,
      rebuild: 'Build again',
      building: 'The index is being built. The search finds chats as they come into it.',
      built: 'The index is built: the search finds all your chats.',
      unbuilt: 'The index could not be built. Your chats are whole. Reload the page and try again.',
      title: (name: string) => `Delete ${name.toLowerCase()}?`,
      texts: {
        chats:
          'All chats are deleted for good, archived ones and those in the bin too. Settings, tools, personas and notes stay. This cannot be undone.',
        results:
          'What tools gave back beyond the part that is shown in a chat is deleted for good. The chats and what they show stay.',
        prompts:
          'Answers stay. What a model was given for each of them can no longer be looked at under Details.',
        models:
          'All downloaded models are deleted, and those that were added from this device. The built-in one stays. Others can be downloaded again.',
      } satisfies Record<Exclude<DeletableKind, 'index'>, string>,
      failed: 'It could not be deleted. Reload the page and try again.',
      about: 'Counted before the browser packs it, so the sum may differ from what the browser says.',
    },
    deleteAll: 'Delete everything',
    deleteTitle: 'Delete everything Hearth keeps here?',
    deleteText: (chats: number | undefined, used: string) =>
      `${chats === undefined ? 'All chats' : plural(chats, 'chat', 'chats')}, the settings, and the copy of the app and its model for offline use are deleted${used === '' ? '' : `, ${used} in all`}. Only files that you exported and backups in a folder stay. This cannot be undone.`,
    notDeleted: {
      held: 'Not everything could be deleted. Close other Hearth tabs and try again.',
      unreachable:
        'Not everything could be deleted: the browser cannot open what it stored for Hearth. Delete the data of this site in the settings of the browser, then reload this page.',
      refused:
        'This browser lets Hearth keep nothing in this visit: what is here goes when the tab is closed. If Hearth kept anything here before, delete the data of this site in the settings of the browser.',
    } satisfies Record<LeftBy, string>,
    about: 'About',
    version: (version: string) => `Hearth ${version}, open source under the Apache-2.0 licence.`,
    licences: 'Licences of everything in it',
  },
  details: {
    title: 'Details of this answer',
    round: (number: number) => `Round ${number}`,
    ownModel: (agent: string, model: string, place: string) =>
      `${agent} was answered by its own model, ${model}, ${place}.`,
    otherModel: (agent: string, model: string) =>
      `${agent} should be answered by ${model}: the model that was running answered, as no other is loaded within an answer.`,
    model: 'Model',
    engine: 'Engine',
    writer: 'Written by',
    byPage: 'Hearth itself; no model was asked',
    insteadOfModel: (model: string) =>
      `Hearth itself: ${model} found no tool to call, and what it says on its own is not reliable`,
    insteadText: 'What the model wrote',
    finish: 'Ended by',
    finishes: {
      loop: 'a repetition that did not end',
      stop: 'its own end',
      length: 'the longest reply it may write',
      'tool-calls': 'a request to a tool',
      aborted: 'Stop',
      error: 'an error',
    },
    written: 'Stored at',
    stages: 'Steps before the model',
    stageNames: {
      replay: 'earlier run',
      'page-replies': 'see whether Hearth answers itself',
      doubt: 'settle doubtful calls',
      summary: 'fit the chat to the context',
      'tool-list': 'choose tools',
      persona: 'add the persona',
      conversation: 'note who speaks',
      pictures: 'look for pictures',
      'cancelled-load': 'cancelled load',
      'read-ahead': 'reading ahead',
      fallback: 'watch for faults',
    },
    tools: 'Tools listed',
    toolList: (listed: string, on: string, tokens: string, names: string) =>
      `${listed} of ${on}, in ${tokens} tokens${names === '' ? '' : `:\n${names}`}`,
    promptTokens: 'Prompt',
    prompt: (total: string, prefilled: string) =>
      `${total} ${total === '1' ? 'token' : 'tokens'}, ${prefilled} of them read now`,
    sampling: 'Word choice',
    sampled: ({ temperature, topP }: { temperature: number; topP?: number | undefined }) =>
      temperature <= 0
        ? 'always the likeliest'
        : `random, temperature ${temperature}${topP === undefined ? '' : `, top-p ${topP}`}`,
    sureness: 'How sure',
    sure: (percent: string) => `${percent} %, by its own probabilities`,
    readings: 'Readings',
    votes: (votes: number, of: number) => `${votes} of ${of} replies`,
    chosenBy: { person: 'chosen by you', page: 'taken, as nobody watched' },
    heldTo: 'Could only write',
    held: {
      dictated:
        'exactly what Hearth read in your request or in the result: a sum, or wording like an example of a tool',
      call: 'one call that fits the tool',
      prose: 'words, no call',
      answer: 'JSON of the form that was asked for',
      offered: 'words, or calls that fit the tools on offer, with texts from this chat',
    },
    prefill: 'Re-read because',
    prefillReasons: {
      loaded: 'the model was loaded again',
      'other-chat': 'another chat was asked in between',
      'start-dropped': 'the start of this chat no longer fits and was left out',
      'summed-up': 'the earlier part of this chat was summed up',
      stopped: 'the reply before was stopped',
      'cut-off': 'the reply before was cut off at its length',
      system: 'the instructions to the model have changed, such as its tools',
      agent: 'an agent was asked in between, and this engine keeps one conversation',
      history: (message: number, of: number) =>
        `the chat has changed: message ${message} of ${of} is not what the engine holds`,
      'several-new': (messages: number) => `${messages} messages are new instead of one`,
      excess: (prefilled: string, fresh: string) =>
        `the engine had lost what it held: ${prefilled} tokens were read where ${fresh} are new`,
    } satisfies Record<PrefillReason['code'], unknown>,
    outputTokens: 'Reply',
    output: (total: string) => `${total} ${total === '1' ? 'token' : 'tokens'}`,
    speed: 'Speed',
    firstToken: 'First token after',
    promptText: 'Prompt as it was sent',
    noPrompt: 'Not kept.',
    rawText: 'Text as the model wrote it',
    noRaw: 'None.',
    calls: 'Calls as they were read',
    recoveries: 'Before it',
    error: 'Error',
    duration: (duration: string) => `ran for ${duration}`,
  },
  models: enModels,
  exam: enExam,
  endpoints: enEndpoints,
  browser: enBrowser,
  backup: enBackup,
  chatFile: enChatFile,
  personas: enPersonas,
  servers: enServers,
  search: enSearch,
  chats: enChats,
  find: enFind,
  findSettings: enFindSettings,
  files: enFiles,
  framed: {
    text: 'Hearth does not run inside another page, where something could be laid over what it asks you.',
    open: 'Open Hearth in a tab of its own',
  },
};

export type LateWords = typeof enLate;
