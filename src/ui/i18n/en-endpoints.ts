/** What is said of models that a server answers with, in English. */
import type { ErrorCode } from '../../contracts/error-code';
import type { ModelPlace } from '../../contracts/model-library';

type EndpointError = Extract<ErrorCode, `endpoint-${string}`>;
/** `detail` is what was found, in English. */
type Sentence = (model: string, detail: string) => string;

/** What the server said, where it said something. */
const said = (detail: string) => (detail === '' ? '' : ` (${detail})`);

export const enEndpointErrors = {
  'endpoint-address': (model) =>
    `Hearth does not yet connect to the address of ${model}, for it is on this device, on your network or not encrypted. Your chats are kept. Press “Edit” at the model on the Models page, then “Try it”: one press there allows the address.`,
  'endpoint-offline': (model) =>
    `This device is offline, and ${model} is on another computer. Your question is kept. Connect to the internet, then continue, or choose a model of this device.`,
  'endpoint-unreachable': (model) =>
    `The server of ${model} could not be reached: it is not running, its address is another, or it does not let this page read it. What had arrived is kept. Start it, then press “Edit” at the model on the Models page and “Try it”: it shows the setting that your server needs.`,
  'endpoint-key': (model, detail) =>
    `The server of ${model} wants a key, or refused this one${said(detail)}. Your question is kept. Press “Edit” at the model on the Models page, enter the key, then continue.`,
  'endpoint-missing': (model, detail) =>
    `The server has nothing at the address of ${model}, or no model of that name${said(detail)}. Your question is kept. Press “Edit” at the model on the Models page and “Try it”: it lists the models that are there.`,
  'endpoint-busy': (model, seconds) =>
    `The server of ${model} takes no more requests just now, or your quota there is used up. Your question is kept. ${seconds === '' ? 'Wait a minute, then continue.' : `Wait ${seconds} s, then continue.`}`,
  'endpoint-failed': (model, detail) =>
    `The server of ${model} failed${said(detail)}. What had arrived is kept. Continue in a moment; if it fails again, look at the server’s own log.`,
  'endpoint-cut': (model) =>
    `The answer of ${model} broke off before its end. What had arrived is kept. Continue, and it goes on from there.`,
  'endpoint-silent': (model) =>
    `The server of ${model} sent nothing for too long. What had arrived is kept. It may still be loading the model: wait a little, then continue.`,
  'endpoint-too-long': (model) =>
    `${model} wrote more than Hearth reads of one answer. What had arrived is kept. Ask for less at once.`,
  'endpoint-redirect': (model) =>
    `The server of ${model} passes requests on to another address, and a chat is not sent there unasked. Your question is kept. Press “Edit” at the model on the Models page and enter that address.`,
  'endpoint-form': (model, detail) =>
    `What answered for ${model} does not speak OpenAI’s chat completions${said(detail)}. Your question is kept. Press “Edit” at the model on the Models page and check the address: most end in /v1.`,
  'endpoint-refused': (model, detail) =>
    `The server of ${model} refused the request${said(detail)}. Your question is kept. If it speaks of tools, switch off “Native tool calls” at the model on the Models page; if of pictures, “Pictures are shown to it”; if of length, begin a new chat.`,
} satisfies Record<EndpointError, Sentence>;

export const enEndpoints = {
  title: 'Models on a server',
  hint: 'Ollama, LM Studio, llama.cpp, vLLM, or any server that speaks OpenAI’s chat completions: on this device, on your network or elsewhere. Off until you add one.',
  add: 'Add endpoint',
  edit: 'Edit',
  editing: (model: string) => `Edit ${model}`,
  remove: 'Remove',
  fields: {
    address: 'Address',
    key: 'Key',
    model: 'Model',
    context: 'Context in tokens',
    isNative: 'Native tool calls',
    canSee: 'Pictures are shown to it',
  },
  hints: {
    address: 'As the program shows it, such as http://localhost:11434 for Ollama.',
    key: 'Only where the server wants one. It goes to this address alone, and is kept in this browser.',
    keyKept: 'A key is kept. Leave this empty to keep it, or enter another.',
    model: '“Try it” lists what the server has.',
    context:
      'How much the model reads at once, as the server was started. Ollama cuts off what is more, unseen.',
    isNative: 'The server reads the calls of tools itself. Off: Hearth asks for them in its prompt.',
    canSee: 'For models that see. Off: the model is told that there is a picture, and no more.',
  },
  forgetKey: 'Forget the key',
  tryIt: 'Try it',
  trying: (host: string) => `Asking ${host}`,
  save: 'Save',
  allow: (origin: string) => `Allow ${origin}, and try`,
  allowing: (origin: string) =>
    `${origin} is on this device, on your network or not encrypted, and Hearth asks no such address unless you allow it. Tools could then ask it too, each time with your OK.`,
  /** In the place of the sentences of a chat, in the form itself. */
  faults: {
    'endpoint-unreachable': (model) =>
      `Nothing could be read for ${model}: its server is not running, the address is another, or the server does not let this page read it.`,
    'endpoint-key': (_, detail) =>
      `The server wants a key, or refused this one${said(detail)}. Enter the right one above.`,
    'endpoint-missing': (model, detail) =>
      `The server has nothing at this address, or no model ${model}${said(detail)}. Check both, or empty “Model” and try again to see what is there.`,
    'endpoint-redirect': () => 'The server passes requests on to another address. Enter that one.',
    'endpoint-form': (_, detail) =>
      `What answered does not speak OpenAI’s chat completions${said(detail)}. Check the address: most end in /v1.`,
  } satisfies Partial<Record<EndpointError, Sentence>>,
  found: {
    list: (count: number) =>
      count === 1 ? 'The server lists one model.' : `The server lists ${count} models.`,
    noList: 'The server has no list of models; type the name.',
    chooseModel: 'Choose a model, then try again: it is asked for a word.',
    answers: (model: string) => `${model} answers.`,
    streams: 'Its words come as they are written.',
    whole: 'Its answers come whole, at the end.',
    native: 'Native tool calls work.',
    noNative: 'Native tool calls do not work, so Hearth asks for them in its prompt.',
    sees: 'It sees pictures: it named the colour of one.',
    seesNone: 'It sees no pictures: it could not name the colour of one.',
    elsewhere: (host: string) => `A chat with it leaves this device: it goes to ${host}.`,
    network: (host: string) => `A chat with it goes to ${host}, on your own network.`,
    loopback: (host: string) => `A chat with it goes to ${host}, a server on this device.`,
  },
  asked: {
    native: 'Native tool calls.',
    prompt: 'Tool calls by Hearth’s prompt.',
    pictures: 'Sees pictures.',
  },
  problems: {
    address: 'This is no web address. One looks like http://localhost:11434',
    model: 'Choose a model, or type its name.',
    known: 'This model of this server is in the list already.',
    context: 'This must be a whole number from 512 to 2,000,000.',
  },
  cors: {
    title: 'What to set, by program',
    hint: (origin: string) =>
      `A server must allow this page, ${origin}, to read it. Set it so, then start it anew and try again.`,
    lmStudio: 'LM Studio: Developer → Server settings → “Enable CORS”, or in a terminal:',
    ollama: 'Ollama: set this variable where it is started, then start it anew:',
    llamaCpp: 'llama.cpp: llama-server allows every page; it only has to run:',
    vllm: 'vLLM: start it so:',
    other: 'Others: answer with this header, to OPTIONS too:',
    mixed:
      'This page is encrypted and that address is not. Browsers let such a page ask this device and the local network only where you allow “local network access” for this site; for another computer put https in front of the server.',
  },
  /** While it is waited for. */
  busy: (model: string, seconds: string) =>
    `The server of ${model} takes no more requests just now. It is asked again in ${seconds} s. You can wait or stop it.`,
  places: {
    processor: '',
    gpu: '',
    browser: '',
    elsewhere: 'Leaves this device',
    network: 'On your network',
    loopback: 'On this device',
  } satisfies Record<ModelPlace, string>,
};

export type EndpointWords = typeof enEndpoints;
