/** What is seen at once, in English, the language that is always there; its shape is what every other language fills. */
import type { ModelPlace } from '../../contracts/model-library';

/** A number of things. */
export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const en = {
  navigation: {
    skip: 'Skip to the message box',
    fold: 'Hide the list of chats',
    shortcuts: 'Keyboard shortcuts',
    commands: 'Commands',
    label: 'Hearth',
    newChat: 'New chat',
    temporary: 'Temporary chat',
    search: 'Search chats',
    models: 'Models',
    notes: 'Notes',
    personas: 'Personas',
    open: 'Show the list of chats',
    close: 'Close the list of chats',
    tools: 'Tools',
    settings: 'Settings',
    archive: 'Archive',
    bin: 'Bin',
    latest: 'Jump to the latest',
    missing: 'A part of Hearth could not be loaded. Nothing is lost. Go online, then try again.',
  },
  actions: {
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    reload: 'Reload',
    tryAgain: 'Try again',
  },
  chats: {
    list: 'Chats',
    none: 'Your chats will appear here.',
    headings: { pinned: 'Pinned', today: 'Today', yesterday: 'Yesterday', earlier: 'Earlier' },
    isRunning: 'Hearth is answering',
    actions: 'Rename or delete',
  },
  empty: {
    title: 'What would you like to know?',
    small: (model: string) =>
      `${model}, a small model, runs in this tab, with or without a network. Chats stay on this device.`,
    large: (model: string) => `${model} runs on this device. Chats stay here too.`,
    larger: ' For conversation, writing and code there are ',
    models: 'larger models',
    stop: '.',
    /** Questions to press, with the tools that answer each. */
    examples: [
      {
        tools: ['calculator', 'clock'],
        question: '17.5% of 2340 and the time in Tokyo and New York',
        hint: 'Calculator and clock',
      },
      {
        tools: ['fetch_page'],
        question: 'What does https://example.com say?',
        hint: 'Reads a page, when you allow it',
      },
      { tools: ['web_search'], question: 'Search for northern lights', hint: 'Searches, when you allow it' },
    ],
    customTool: 'Add a tool of your own',
    customToolHint: 'From the gallery, or ten lines of JavaScript',
  },
  composer: {
    sendKeys: 'Send (Enter)',
    stopKeys: 'Stop (Esc)',
    label: 'Message',
    placeholder: 'Ask something',
    send: 'Send',
    stop: 'Stop',
    promise: 'Nothing leaves this device without your OK.',
    away: (model: string) => `This chat leaves this device, for the server of ${model}.`,
    temporary: 'Nothing of this chat is kept. It is gone when you leave it, reload or close the tab.',
    queue: 'Queue',
    tools: (count: number) => (count === 0 ? 'No tools' : plural(count, 'tool', 'tools')),
  },
  units: { milliseconds: (count: string) => `${count} ms`, seconds: (count: string) => `${count} s` },
  model: {
    places: {
      processor: 'on this CPU',
      gpu: 'on this GPU',
      browser: 'in this browser',
      loopback: 'on this device’s server',
      network: 'on your network',
      elsewhere: 'leaves this device',
    } as Readonly<Record<ModelPlace, string>>,
    /** Of those without one of their own, by their ids. */
    names: { 'browser-model': 'Browser model' } as Readonly<Record<string, string>>,
    offline: 'offline',
    idle: 'not started',
    starting: 'starting',
    loaded: (done: string, total: string) => `${done} of ${total}`,
    ready: 'ready',
    speed: (speed: string) => `${speed} tokens/s`,
    failed: 'did not start',
    lost: 'stopped',
    switch: 'Switch model',
    insteadOf: (model: string) => `in place of ${model}`,
    isStarting: (model: string, percent?: string) =>
      percent === undefined ? `${model} is starting` : `${model} is starting: ${percent} %`,
  },
  persona: { label: 'Persona', none: 'No persona' },
  context: {
    name: 'Room in this chat',
    value: (percent: string) => `${percent} % full`,
  },
};

export type Words = typeof en;
