/** English. */
import type { PageWords } from './words';

const beyond = (doing: string) => (model: string) =>
  `${model} is too small a model to ${doing}; a larger one from the Models page can.`;

export const english: PageWords = {
  abilities: {
    calculator: 'work out sums',
    clock: 'tell the time in any place',
    fetch_page: 'read a web page',
    web_search: 'search the web',
    weather: 'tell the weather',
    remember: 'keep notes for you',
    recall: 'find your notes',
  },
  examples: {
    calculator: 'What is 17.5% of 2340?',
    clock: 'What time is it in Tokyo?',
    web_search: 'Search for northern lights',
    weather: 'Is it raining in Oslo?',
    fetch_page: 'What does https://example.com say?',
    remember: 'Remember that my train leaves at 8:15',
    recall: 'Search my notes for train',
  },
  can: (abilities, otherTools) =>
    `I can ${join([...abilities, ...(otherTools.length > 0 ? [`use ${join(otherTools)}`] : [])])}.`,
  noTools:
    'No tool is on in this chat, so there is little I can do. The tools menu below the message box turns them on.',
  failures: {
    refused: 'You did not allow it, so I have no answer to that.',
    'refused-often': 'You did not allow it, so I have no answer to that.',
    offline: 'This device is offline, so I cannot look that up. Sums and the time work without a network.',
    unreachable: 'That page could not be reached from here.',
    'slow-server': 'The server did not answer in time. Please try again later.',
    'wrong-type': 'There is no page or text at that address that I can read.',
    'no-text': 'That page holds no text that I can read.',
    'no-provider': 'No search provider is switched on. Settings has them under “Web search”.',
    address: 'I may not ask that address.',
    town: 'I know no town of that name. Name a larger one nearby, and its country after a comma.',
    sum: 'I could not work that out. It is no sum that has a result, or not written as one.',
    'time-limit': 'It took too long and was stopped.',
    server: 'The server of that tool could not do it. Its card says why.',
    'server-away': 'The server of that tool cannot be used now. The page Tools says why.',
    'server-lost': 'The connection broke off: it may or may not have been done. Check before you ask again.',
    code: 'That tool could not do it. Its card says why.',
    result: 'That tool gave back something that cannot be used. Its card says what.',
    arguments: 'I did not get all that this tool needs. Its card says what is missing.',
    'note-too-long': 'That is too long for a note. Its card says how long one can be.',
    'notes-full': 'There are as many notes as can be kept. Delete some under “Notes” first.',
  },
  nothing: 'There is nothing in the result.',
  beyondFiles: (names) =>
    `I cannot find that in ${names}: I only look for the words of a question. A larger model from the Models page can read and count for you.`,
  beginsFile: (name, beginning) => `${name} begins: ${beginning}`,
  beyondBeginnings:
    'Ask me for something by its words, and I will look for it. To tell what all of it is about takes a larger model, from the Models page.',
  unseen: (name) =>
    `I am ${name}, and I see no pictures. Choose a model that does beneath the title of this chat, then press “Answer again”; or write what you want to know in words.`,
  notes: {
    kept: 'I have kept that as a note. You find it under “Notes”.',
    refused: 'Not kept: you did not allow it.',
    none: 'No note of yours has these words.',
  },
  rephrase: 'Then I did not understand it. Please say it in other words.',
  told: (sentence) => `You said: “${sentence}”`,
  whichPlace: 'The weather in which place? A town will do, with its country where there are several.',
  searchInstead: 'I don’t know that myself, but I can search the web for it.',
  searchFor: (query) => `Search for ${query}`,
  replies: {
    greeting: (model, can) => `Hello. I’m ${model}, the small model in this tab. ${can}`,
    'how-are-you': (_, can) => `I’m running fine, thank you. ${can}`,
    thanks: () => 'You’re welcome.',
    'good-night': () => 'Good night. This chat stays on this device.',
    goodbye: () => 'Goodbye. This chat stays on this device.',
    identity: (model, can) =>
      `I’m ${model}, a very small language model that runs in this browser tab. The app around me is Hearth. ${can}`,
    maker: (model) =>
      `${model} was made by the people who make Hearth, and trained on text they wrote. It came with this page and runs on your own device.`,
    nature: (model) =>
      `I’m a computer program: ${model}, a very small language model. I have no feelings and no body.`,
    ability: (_, can) =>
      `${can} I’m a very small model, so keep requests short and plain. For conversation, writing and code, choose a larger model on the Models page.`,
    privacy: () =>
      'Your chats are stored in this browser, on this device, and nowhere else. I run here too, so what you write to me is sent to nobody. A tool that asks another server shows you first what it would send, and “Requests” in Settings lists every request. Anyone who can use this browser can read the chats; “Delete everything” in Settings removes them.',
    secret: () =>
      'What you wrote stays on this device, in this chat, but a chat is no safe place for a secret: anyone who uses this browser can read it. You can delete the message, and a password manager keeps such things better.',
    praise: () => 'Thank you, that is kind.',
    insult: (_, can) => `I’m sorry that went badly. I’m a very small model and often wrong. ${can}`,
    apology: () => 'No harm done.',
    laugh: () => 'I’m glad you are laughing.',
    noted: () => 'All right. What would you like to do next?',
    birthday: () => 'Best wishes.',
    sadness: (model) =>
      `I’m sorry to hear that. ${model} is too small a model to talk it over well; someone you trust can, and a larger model may help a little.`,
    crisis: () =>
      'I’m really sorry that you feel this way. I’m a small program and cannot help as you deserve. Please call your local emergency number or a crisis line now, or tell someone near you.',
    bored: (_, can) => `I’m not much of a talker. ${can} Perhaps one of these:`,
    memory: (model) =>
      `${model} has no memory beyond this chat. What was said stands above and stays there, and what you told me of yourself I can find again in it.`,
    told: () =>
      'Good to know. It stands in this chat now: ask me for it here, and I find it again. Other chats do not know of it.',
    nonsense: (_, can) => `I could not make sense of that. ${can}`,
    joke: beyond('tell jokes'),
    story: beyond('tell stories'),
    writing: beyond('write a text like that'),
    translation: beyond('translate'),
    summary: beyond('summarise texts'),
    rewriting: beyond('rewrite or correct texts'),
    pasted: beyond('work on a text like that'),
    code: beyond('write or repair code'),
    recipe: beyond('give recipes'),
    plan: beyond('make plans'),
    chat: beyond('chat, sing or play a part'),
    view: (model) =>
      `${model} is too small a model to have views; a larger one from the Models page can talk about it.`,
    advice: beyond('give advice'),
    explanation: beyond('explain that'),
    why: beyond('explain that'),
    beyond: (model) =>
      `${model} is too small a model for that; a larger one from the Models page may manage.`,
    picture: (model) => `${model} works with text only and cannot make pictures.`,
    opinion: (_, can) => `I’m a very small program and have no opinions or feelings of my own. ${can}`,
    question: () => 'I don’t know that, and I won’t guess; a larger model from the Models page may know.',
    statement: (_, can) => `I’m not sure what you would like me to do. ${can}`,
    unclear: (_, can) => `I’m not sure what you mean. ${can}`,
    languages: () =>
      'I understand English and Chinese. Larger models know more languages: the Models page says which.',
    offline: (_, can) =>
      `Yes: this app opens without a network once it has been loaded, and sums and the time need none. Searching and reading pages do. ${can}`,
    cost: () => 'It is free, and open source. There is no account and nothing to pay.',
    doubt: () =>
      'What a tool worked out is exact: the card above an answer shows what it was asked and what it gave. Anything else I say may be wrong.',
    again: () => '“Answer again” below an answer asks once more; “Edit” below a question changes it.',
    action: (_, can) => `I can’t do that from this tab. ${can}`,
    units: (_, can) =>
      `I have no tool on that converts this, and I won’t guess. The Tools page has one to add: “Unit conversion”. ${can}`,
    money: (_, can) =>
      `I have no tool on that knows exchange rates, and I won’t guess. The Tools page has one to add: “Currency”. ${can}`,
    chance: (_, can) =>
      `I have no tool on for chance, and a number that I make up is not random. The Tools page has one to add: “Random and dice”. ${can}`,
  },
};

function join(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
