/** What the Models screen says, in English. Apart from the other words: the first paint does without it. */
import type { DownloadFailure } from '../../contracts/egress';
import type { Diagnosis, FitFinding, ModelCard, OwnModelProblem } from '../../contracts/model-library';

/** That a model is slow here, its speed says. */
type FindingCode = Exclude<FitFinding['code'], 'software-gpu' | 'on-processor'>;

const failures = {
  paused: 'It is paused.',
  offline: 'There is no network. It goes on by itself when there is one.',
  unreachable:
    'The server could not be reached, several times. What has arrived is kept. Check the connection, or set a mirror in Settings, then resume.',
  'refused-address':
    'Hearth may not connect to its address. To use a server of your own, add the model under that address, or set it as a mirror in Settings.',
  missing: 'The server has no such file. Check the addresses of this model.',
  forbidden:
    'The server wants a login, or its licence to be accepted. Download the files there, then add them from disk.',
  server:
    'The server failed several times. What has arrived is kept. Resume later, or set a mirror in Settings.',
  'wrong-file':
    'The server sent something other than the file: a web page, perhaps a login. Check the connection, then resume.',
  damaged:
    'A file arrived damaged twice: its size or checksum is not what the model’s own list says. Resume later, or set another mirror in Settings.',
  full: 'There is not enough room on this device. What has arrived is kept. Free some space or delete a model, then resume.',
  busy: 'Another tab is downloading it. Wait for that one, or close it and resume here.',
  unsupported:
    'This browser gives Hearth no file storage, as in a private window. Open Hearth in an ordinary window.',
} satisfies Record<DownloadFailure, string>;

const problems = {
  'model-url': 'The model URL must be a full address, beginning with https:// or http://.',
  'library-url':
    'The model library URL must be a full address. Only a model URL that ends in .gguf needs none.',
  id: 'Give the model an ID.',
  known: 'There is already a model with this ID. Choose another, or delete that one first.',
  overrides: 'Overrides must be a JSON object, such as {"context_window_size": 4096}, or empty.',
  json: 'This is not a model record. One has model, model_id and model_lib.',
  'no-config': 'The folder must hold mlc-chat-config.json and tensor-cache.json.',
  'no-weights': 'Some of the files that tensor-cache.json lists are missing.',
  damaged: 'A file is damaged: its contents, size or checksum are not what they should be. Copy it again.',
  'no-library': 'The folder must hold the model’s library too, a file that ends in .wasm.',
  'not-gguf': 'This is not a GGUF file.',
  full: 'There is not enough room on this device. Free some space or delete a model.',
} satisfies Record<OwnModelProblem, string>;

export const enModels = {
  intro:
    'Models run in this tab, on this device, but for those on a server that you add yourself. A download comes from the model’s server; nothing of your chats goes there.',
  looking: 'Looking at this device',
  recommendedSlow:
    'This device has no graphics chip that models can use, so each will be slow. This one is usable.',
  noneFits:
    'No model in the list seems to fit this device; “Diagnostics” below says why. The built-in one runs everywhere.',
  room: (free: string) => `${free} free for models.`,
  stored: (bytes: string) => `${bytes} of models stored here.`,
  groups: {
    best: 'For this device',
    here: 'On this device',
    others: 'Others that run here',
    large: 'Larger, for a graphics chip with much memory',
  },
  folded: {
    tight: (count: number) => `${count} that may not fit`,
    unfit: (count: number) => (count === 1 ? '1 that does not run here' : `${count} that do not run here`),
  },
  recommendedMark: 'Recommended',
  chosen: 'Used in this chat',
  inThisChat: 'Model in this chat',
  missing: 'not on this device',
  all: 'All models',
  wayOn: {
    get: (name: string, size: string, isSlow: boolean) => `Get ${name} · ${size}${isSlow ? ' · slow' : ''}`,
    use: (name: string) => `Use ${name}`,
    coming: (name: string) => `${name} is on its way`,
    offline: (name: string, size: string) =>
      `This device is offline. ${name} · ${size} can be had once it is online again.`,
    none: 'What a larger model needs',
  },
  more: 'More about it',
  speeds: {
    measured: (tokens: string) => `${tokens} tokens/s in its last answer.`,
    builtIn: 'Quick, on the processor.',
    quick: 'Quick, on the graphics chip.',
    steady: 'About as fast as one reads, on most graphics chips.',
    heavy: 'Slow on most graphics chips, for its size.',
    processor: 'Slow, on the processor.',
    software: 'Many seconds a word: software stands in for a graphics chip.',
  },
  running: 'Running',
  starting: 'Starting',
  startingAt: (percent: string) => `Starting: ${percent} %`,
  builtIn: 'Comes with Hearth and runs everywhere: sums, times and simple questions.',
  own: 'Added by you.',
  about: (size: string) => `about ${size}`,
  cost: (download: string, memory: string | undefined) =>
    memory === undefined
      ? `Download: ${download}.`
      : `Download: ${download}, once. Memory: about ${memory} while it runs.`,
  unknownCost: 'Size unknown until the download starts.',
  kept: (bytes: string) => `Complete on this device: ${bytes}. Works offline.`,
  part: (here: string, all: string) => `${here} of ${all} downloaded.`,
  partOfUnknown: (here: string) => `${here} downloaded.`,
  gone: 'Its files are no longer on this device. Delete it, then add it from disk again.',
  facts: (licence: string, context: string) => `Licence: ${licence}. Reads ${context} tokens at once.`,
  reads: (context: string) => `Reads ${context} tokens at once.`,
  languages: (names: string) => `Languages: ${names}.`,
  thinks: 'Can think before it answers.',
  download: 'Download',
  pause: 'Pause',
  resume: 'Resume',
  use: 'Use',
  loadBeside: 'Use it here too',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText:
    'Its files came from the disk of this device, and are deleted here for good: they are too large for the bin. To have it again, add it from disk.',
  deleteConfirm: 'Delete its files',
  export: 'Export',
  exported: 'Its files were exported.',
  exportFailed:
    'Its files could not be exported. Choose a folder that may be written to and has enough room, then try again.',
  progress: (here: string, all: string) => `${here} of ${all}`,
  speed: (bytes: string) => `${bytes}/s`,
  left: (time: string) => `${time} left`,
  preparing: 'Preparing',
  failures,
  details: (text: string) => `Details: ${text}`,
  findings: {
    'no-gpu': (isBlocked: boolean): string =>
      isBlocked
        ? 'The browser gives no access to a graphics chip.'
        : 'This browser cannot use the graphics chip (no WebGPU).',
    limit: 'The graphics chip lacks something this model needs.',
    memory: (needs: string, has: string) =>
      `It needs about ${needs} of memory; this device probably has ${has} to give.`,
    room: (needs: string, has: string) => `It takes ${needs}, and ${has} is free.`,
    'full-precision': 'The chip has no 16-bit numbers, so the larger variant is used.',
  } satisfies Record<FindingCode, unknown>,
  verdicts: {
    good: '',
    slow: 'Slow here',
    unlikely: 'May not fit',
    impossible: 'Will not run here',
  } satisfies Record<ModelCard['verdict'], string>,
  add: {
    title: 'Add a model',
    hint: 'A model compiled for WebLLM, from any server that lets other pages read it, or a GGUF file. Hearth connects only to the addresses you type here.',
    modelUrl: 'Model URL',
    id: 'Model id',
    libraryUrl: 'Model library URL',
    overrides: 'Overrides (JSON)',
    add: 'Add',
    added: (id: string) => `${id} is in the list.`,
    json: 'Record (JSON)',
    addJson: 'Add record',
    fromDisk: 'From this device’s disk',
    fromDiskHint:
      'Or something that another Hearth exported. It is copied into the browser; nothing is sent anywhere.',
    file: 'GGUF file',
    folder: 'Folder of a WebLLM model',
    importing: 'Copying',
    failed: 'It could not be added.',
    problems,
  },
  options: {
    title: 'How models answer',
    thinking: 'Let a model think before it answers',
    thinkingHint: 'Where it can. Better at hard questions, and slower.',
    advanced: 'Advanced',
    temperature: 'Temperature',
    topP: 'Top P',
    cores: 'GGUF models use several processor cores',
    coresHint: 'Hearth uses as many as make the model faster.',
    noCores: 'The host of this page does not let it use several cores. Diagnostics, below, says more.',
    gpu: 'GGUF models run on the graphics chip',
    gpuHint:
      'New, and not every chip can. A model that does not start there, or is slower, runs on the processor.',
    samplingHint: 'Leave empty for what the model’s makers advise. The built-in model keeps its own.',
    samplingError: (from: number, to: number) => `This must be a number from ${from} to ${to}.`,
  },
  mirrors: {
    title: 'Mirrors for models',
    hint: 'Models are downloaded from this address instead. Its owner sees which models you download. Leave empty for the original host.',
    of: (host: string) => `Mirror of ${host}`,
    wrong: 'This is not a valid address. One looks like https://mirror.example.org',
  },
  diagnostics: {
    title: 'Diagnostics',
    findings: {
      'gpu-none':
        'This browser has no WebGPU. Update it, or use Chrome, Edge or Safari 26; until then models run on the processor.',
      'gpu-blocked':
        'The browser has WebGPU but gives no graphics chip. Turn on graphics acceleration in its settings and update the graphics driver.',
      'gpu-software':
        'Software stands in for a graphics chip. Turn on graphics acceleration in the browser’s settings.',
      'has-f16': 'The chip computes with 16-bit numbers: the smaller variants of models run.',
      'no-f16': 'The chip has no 16-bit numbers. The f32 variants of models are used, which are larger.',
      'relaxed-simd': 'Models on the processor run at full speed in this browser.',
      'plain-simd':
        'Models on the processor run at half speed: this browser lacks relaxed SIMD. Update it, or use Chrome, Edge or Firefox.',
      gpu: (name: string) => `Graphics chip: ${name === '' ? 'found, without a name' : name}.`,
      'gpu-limit': (limit: string, has: string, needs: string) =>
        `The chip gives ${has} of ${limit}, and models need ${needs}. A newer driver or browser may help.`,
      memory: (gigabytes: string, budget: string) =>
        `Memory: ${gigabytes} GB as far as the browser says; a model may use ${budget}. Close heavy tabs before loading a large one.`,
      'memory-unknown': (budget: string) =>
        `The browser does not say how much memory there is; a model is assumed to have ${budget}.`,
      cores: (cores: string, threads: number) =>
        threads > 1
          ? `Processor cores: ${cores}. GGUF models use up to ${threads} of them.`
          : `Processor cores: ${cores}. GGUF models use one.`,
      'not-isolated': (threads: string) =>
        `GGUF models could use ${threads} cores if the host of this page sent two headers: docs/how-to/use-several-cores.md says which.`,
      room: (free: string) => `Room for models: ${free}.`,
      'room-unknown': 'The browser does not say how much room there is.',
      persisted: 'The browser has promised to keep what is stored.',
      'not-persisted':
        'The browser may clear what is stored when the device runs short of space. It is asked not to with the first download; installing Hearth as an app helps.',
      'browser-model-unfit':
        'The browser has a model of its own, but not for this device: it wants more memory, or a larger graphics chip.',
      'no-files':
        'The browser gives no file storage, as in a private window: nothing can be downloaded. Use an ordinary window.',
    } satisfies Record<Diagnosis['code'], unknown>,
  },
};

export type ModelWords = typeof enModels;
