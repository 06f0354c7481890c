/** The types of the messages of `en.json`. `npm run words` writes this file. */

/** What the first screen shows. */
export interface Words {
  navigation: {
    skip: string;
    fold: string;
    shortcuts: string;
    commands: string;
    label: string;
    newChat: string;
    temporary: string;
    search: string;
    models: string;
    notes: string;
    personas: string;
    open: string;
    close: string;
    tools: string;
    settings: string;
    archive: string;
    bin: string;
    latest: string;
    missing: string;
  };
  actions: {
    cancel: string;
    close: string;
    copy: string;
    copied: string;
    reload: string;
    tryAgain: string;
  };
  chats: {
    list: string;
    none: string;
    headings: {
      pinned: string;
      today: string;
      yesterday: string;
      earlier: string;
    };
    isRunning: string;
    actions: string;
  };
  empty: {
    title: string;
    small: (model: string) => string;
    large: (model: string) => string;
    larger: string;
    models: string;
    stop: string;
    /** Questions to press, each with the ids of the tools that answer it. The model must be able to answer them. */
    examples: readonly {
      tools: readonly string[];
      question: string;
      hint: string;
    }[];
    customTool: string;
    customToolHint: string;
  };
  composer: {
    sendKeys: string;
    stopKeys: string;
    label: string;
    placeholder: string;
    send: string;
    stop: string;
    promise: string;
    away: (model: string) => string;
    temporary: string;
    queue: string;
    tools: (count: number) => string;
  };
  units: {
    milliseconds: (count: string) => string;
    seconds: (count: string) => string;
  };
  model: {
    places: {
      processor: string;
      gpu: string;
      browser: string;
      loopback: string;
      network: string;
      elsewhere: string;
    };
    /** Names of models that have no name of their own, by id. */
    names: Readonly<Record<string, string>>;
    offline: string;
    idle: string;
    starting: string;
    loaded: (done: string, total: string) => string;
    ready: string;
    speed: (speed: string) => string;
    failed: string;
    lost: string;
    switch: string;
    insteadOf: (model: string) => string;
    isStarting: (model: string, percent?: string) => string;
  };
  persona: {
    label: string;
    none: string;
  };
  context: {
    name: string;
    value: (percent: string) => string;
  };
}

/** What is loaded later, with the parts of the page that show it. */
export interface LateWords {
  /** What happened, what is kept, and what to do, in this order. */
  errors: {
    'part-missing': () => string;
    'model-unreachable': (model: string) => string;
    'model-missing': (model: string) => string;
    'model-damaged': (model: string) => string;
    'browser-too-old': (model: string) => string;
    'engine-moved': (model: string) => string;
    'engine-timeout': (model: string) => string;
    'engine-crashed': (model: string) => string;
    'model-not-downloaded': (model: string) => string;
    'library-unusable': (model: string) => string;
    'gpu-missing': (model: string) => string;
    'gpu-unfit': (model: string) => string;
    'gpu-lost': (model: string) => string;
    'out-of-memory': (model: string) => string;
    'model-garbled': (model: string) => string;
    'model-elsewhere': (model: string) => string;
    'load-cancelled': (model: string) => string;
    'message-too-long': (model: string) => string;
    'tools-too-long': (model: string) => string;
    'storage-unavailable': () => string;
    'storage-newer': () => string;
    'storage-full': () => string;
    'chat-deleted': () => string;
    'notes-full': () => string;
    'note-deleted': () => string;
    'storage-shortened': () => string;
    'search-broken': () => string;
    'endpoint-address': (model: string) => string;
    'endpoint-offline': (model: string) => string;
    'endpoint-unreachable': (model: string) => string;
    'endpoint-key': (model: string, detail: string) => string;
    'endpoint-missing': (model: string, detail: string) => string;
    'endpoint-busy': (model: string, seconds: string) => string;
    'endpoint-failed': (model: string, detail: string) => string;
    'endpoint-cut': (model: string) => string;
    'endpoint-silent': (model: string) => string;
    'endpoint-too-long': (model: string) => string;
    'endpoint-redirect': (model: string) => string;
    'endpoint-form': (model: string, detail: string) => string;
    'endpoint-refused': (model: string, detail: string) => string;
    'browser-model-language': (model: string, detail: string) => string;
    'browser-model-withheld': (model: string, detail: string) => string;
    'browser-model-refused': (model: string, detail: string) => string;
    'browser-model-download': (model: string, detail: string) => string;
    'browser-model-unfit': (model: string) => string;
    'browser-model-failed': (model: string, detail: string) => string;
    'backup-unknown': () => string;
    'backup-damaged': () => string;
    'backup-refused': () => string;
    'backup-newer': () => string;
    'backup-too-large': () => string;
    'backup-passphrase': () => string;
    'backup-unread': () => string;
    'backup-unwritable': () => string;
    'backup-gone': () => string;
    'backup-broken': () => string;
    'prompts-full': () => string;
    'prompt-deleted': () => string;
  };
  /** Why an answer ended early. */
  ends: {
    stopped: () => string;
    failed: (model: string) => string;
    'cut-off': (model: string) => string;
    'invalid-call': (model: string) => string;
    'round-limit': () => string;
    looped: (model: string) => string;
    'call-limit': () => string;
    steered: () => string;
  };
  statuses: {
    writing: string;
    queued: string;
    'waiting-for-approval': string;
    running: string;
    done: string;
    refused: string;
    failed: string;
    unanswered: string;
  };
  /** Why a call of a tool failed. */
  failures: {
    refused: string;
    'refused-often': string;
    stopped: string;
    offline: string;
    address: string;
    unreachable: string;
    'slow-server': string;
    status: string;
    'wrong-type': string;
    'no-text': string;
    'no-provider': string;
    'time-limit': string;
    'call-limit': string;
    'search-limit': string;
    'agent-limit': string;
    'agent-circle': string;
    agent: string;
    'agent-form': string;
    interrupted: string;
    'no-such-tool': string;
    arguments: string;
    sum: string;
    place: string;
    town: string;
    'note-too-long': string;
    'notes-full': string;
    server: string;
    'server-away': string;
    'server-lost': string;
    code: string;
    result: string;
    missing: string;
    failed: string;
  };
  chatNotices: {
    'second-chance': (model: string) => string;
    'tool-off': () => string;
    'searched-first': (model: string) => string;
    'words-only': () => string;
    'other-tab': () => string;
  };
  firstSteps: {
    label: string;
    place: (step: number, count: number) => string;
    what: string;
    now: string;
    more: string;
    looking: string;
    forDevice: (name: string, size: string) => string;
    noneFits: string;
    models: string;
    next: string;
    back: string;
    skip: string;
    done: string;
  };
  tools: {
    label: string;
    none: string;
    later: string;
    /** Questions that the tools of a chat can answer. */
    askable: {
      title: string;
      intro: (model: string) => string;
      persona: (name: string) => string;
      small: string;
      large: string;
      none: string;
      more: string;
      examples: Readonly<Record<string, string>>;
    };
    descriptions: Readonly<Record<string, string>>;
    titles: Readonly<Record<string, string>>;
    intro: string;
    here: string;
    outside: string;
    inNewChats: string;
    unused: string;
    /** Between two sentences. */
    between: string;
    used: (calls: number, failed: number, mended: number, average: string) => string;
    loading: string;
    providers: string;
    listed: (listed: string, on: string, saved: string) => string;
    byPage: (model: string) => string;
    byModel: (model: string) => string;
    search: string;
    searchModes: {
      always: string;
      'when-needed': string;
      never: string;
    };
    filter: string;
    meaning: {
      label: string;
      off: string;
      cost: string;
      failed: string;
    };
    more: (count: string) => string;
    noneFound: string;
    showMore: (count: string) => string;
    filterLabel: string;
    filters: {
      all: string;
      on: string;
      off: string;
    };
    pin: (name: string) => string;
    because: (names: string, reason: string) => string;
    reasons: {
      pinned: string;
      used: string;
      found: string;
      named: string;
      best: string;
      close: string;
    };
  };
  notes: {
    intro: string;
    none: string;
    new: string;
    add: string;
    list: string;
    search: string;
    count: (count: string, isOne: boolean) => string;
    found: (count: number) => string;
    editing: string;
    edit: (note: string) => string;
    save: string;
    delete: (note: string) => string;
    deleteConfirm: string;
    beside: (hosts: string) => string;
    tooLong: (most: string, length: string) => string;
    damaged: string;
    removeDamaged: string;
    more: (count: string) => string;
  };
  unfinished: {
    text: string;
    butKeys: string;
  };
  editor: {
    newTool: string;
    own: string;
    noOwn: string;
    import: string;
    edit: string;
    back: string;
    damaged: (name: string) => string;
    removeDamaged: string;
    classes: {
      pure: string;
      'net-read': string;
      'side-effect': string;
    };
    classHints: {
      pure: string;
      'net-read': string;
      'side-effect': string;
    };
    hostList: (hosts: string) => string;
    noHosts: string;
    builtIn: string;
    gallery: string;
    galleryIntro: string;
    take: string;
    taken: string;
    open: string;
    /** Title, description and first request of each tool of the gallery. English has them in the tools. */
    fromGallery: Readonly<Record<string, { title: string; description: string; request: string }>>;
    preview: {
      import: string;
      gallery: string;
      text: string;
      galleryText: string;
      keep: string;
      add: string;
      does: string;
      class: string;
      hosts: string;
      secrets: string;
      source: string;
      whole: string;
      broken: string;
    };
    unreadable: (reason: string) => string;
    fileProblems: {
      'too-large': string;
      'not-json': string;
      'other-kind': string;
      newer: string;
      damaged: string;
      'not-read': string;
    };
    missing: string;
    loading: string;
    untitled: string;
    start: {
      name: string;
      title: string;
      description: string;
      meaning: string;
      example: string;
      code: string;
    };
    howTo: string;
    intro: string;
    fields: {
      name: string;
      nameHint: string;
      title: string;
      titleHint: string;
      description: string;
      keywords: string;
      keywordsHint: string;
      inputSchema: string;
      outputSchema: string;
      code: string;
      codeHint: string;
      class: string;
      hosts: string;
      hostsHint: string;
      secrets: string;
      examples: string;
      limits: string;
      timeMs: string;
      outputCharacters: string;
      hostCalls: string;
    };
    hints: {
      empty: string;
      short: string;
      when: string;
      long: string;
      good: string;
    };
    parameters: {
      title: string;
      hint: string;
      broken: string;
      add: string;
      addInner: string;
      key: string;
      type: string;
      types: {
        string: string;
        number: string;
        integer: string;
        boolean: string;
        array: string;
        object: string;
      };
      items: string;
      required: string;
      meaning: string;
      more: string;
      keywords: Readonly<Record<string, string>>;
      remove: (name: string) => string;
    };
    secrets: {
      hint: string;
      add: string;
      label: string;
      host: string;
      header: string;
      value: string;
      kept: string;
      none: string;
      keep: string;
      forget: string;
      remove: string;
    };
    test: {
      label: string;
      stop: string;
      hint: string;
      none: string;
      run: string;
      running: string;
      result: string;
      logs: string;
      time: (time: string) => string;
      keep: string;
      more: (characters: string) => string;
      listHint: string;
      optional: string;
      jsonHint: string;
    };
    examples: {
      hint: string;
      request: string;
      arguments: string;
      result: string;
      add: string;
      try: string;
      use: string;
      remove: string;
      right: string;
      wrong: (text: string) => string;
    };
    versions: {
      title: string;
      compare: string;
      hide: string;
      restore: string;
      same: string;
      diff: string;
    };
    save: string;
    saved: string;
    unsaved: string;
    discard: string;
    export: string;
    delete: string;
    problems: string;
    problemAt: (field: string, place: string, line?: number) => string;
    problemCodes: {
      'name-form': string;
      'name-taken': string;
      'name-reserved': string;
      'title-missing': string;
      'description-short': string;
      'too-long': string;
      schema: string;
      pattern: string;
      'code-missing': string;
      syntax: string;
      'host-form': string;
      'hosts-missing': string;
      'hosts-pure': string;
      'secret-form': string;
      'secret-host': string;
      'secret-header': string;
      limit: string;
      example: string;
    };
  };
  recovery: {
    /** What happened to a model. It follows the name of the model. */
    reasons: Readonly<Record<string, string>>;
    unknown: string;
    because: (model: string, reason: string) => string;
    steps: {
      'fresh-worker': () => string;
      moved: () => string;
      'less-context': (model: string, tokens: string) => string;
      'f32-twin': () => string;
      'smaller-model': (model: string) => string;
      'built-in': (model: string) => string;
    };
    missing: (id: string) => string;
    /** Between two sentences. */
    between: string;
    tryAgain: (model: string) => string;
  };
  choice: {
    title: string;
    none: string;
    unsure: string;
  };
  waiting: {
    idle: (model: string) => string;
    failed: (model: string) => string;
    other: (model: string) => string;
    reading: (model: string) => string;
    readingPrompt: (percent: string, seconds: string) => string;
    writing: (model: string) => string;
    slow: (model: string) => string;
    otherTab: (model: string) => string;
    choice: (model: string) => string;
    summingUp: (model: string) => string;
    finished: string;
  };
  shortcuts: {
    send: string;
    newLine: string;
    editLast: string;
    stop: string;
    slash: string;
    everywhere: string;
    writing: string;
    none: string;
    /** Shown on Linux, where the screen reader may be Orca. */
    orca: (palette: string) => string;
    find: string;
    undo: string;
    skip: string;
  };
  command: {
    /** Messages that are queued while an answer is written. */
    followUps: {
      title: string;
      goesOn: string;
      waits: string;
      elsewhere: string;
      count: (count: number) => string;
      files: (count: number) => string;
      comesIn: string;
      steer: string;
      steerOne: (place: number) => string;
      steerHint: string;
      askNow: string;
      askNowOne: (place: number) => string;
      askNowHint: string;
      moveUp: (place: number) => string;
      change: (place: number) => string;
      remove: (place: number) => string;
      text: (place: number) => string;
      keep: string;
    };
    /** Prompts that the user wrote. */
    prompts: {
      title: string;
      intro: string;
      syntax: string;
      none: string;
      takeExample: string;
      example: {
        name: string;
        text: string;
      };
      new: string;
      name: string;
      text: string;
      asksFor: (names: string) => string;
      asksNothing: string;
      between: string;
      add: string;
      save: string;
      list: string;
      count: (count: string, isOne: boolean) => string;
      editing: string;
      edit: (name: string) => string;
      delete: (name: string) => string;
      moveUp: (name: string) => string;
      moveDown: (name: string) => string;
      problems: {
        nameless: string;
        textless: string;
        taken: string;
        longName: (most: string) => string;
        longText: (most: string, length: string) => string;
      };
      damaged: string;
      removeDamaged: string;
      use: string;
      useHint: string;
      own: string;
      manage: string;
      manageText: string;
      make: string;
    };
    /** A long answer that ends while the user is in another tab or program. */
    news: {
      ready: string;
      ended: string;
      temporary: string;
      offer: string;
      yes: string;
      no: string;
      switch: string;
      hint: string;
      refused: string;
    };
    palette: {
      label: string;
      placeholder: string;
      list: string;
      count: (count: number) => string;
      none: string;
      archived: string;
      current: string;
      switchOn: (tool: string) => string;
      switchOff: (tool: string) => string;
      groups: {
        recent: string;
        actions: string;
        chats: string;
        prompts: string;
        personas: string;
        models: string;
        tools: string;
        settings: string;
        said: string;
      };
    };
    /** Commands of the palette. */
    names: {
      palette: string;
      'new-chat': string;
      'temporary-chat': string;
      'search-chats': string;
      find: string;
      stop: string;
      'answer-again': string;
      'copy-answer': string;
      attach: string;
      dictate: string;
      'tools-of-chat': string;
      rename: string;
      pin: string;
      archive: string;
      export: string;
      delete: string;
      list: string;
      theme: string;
      'go-tools': string;
      'go-personas': string;
      'go-notes': string;
      'go-models': string;
      'go-settings': string;
      'go-archive': string;
      'go-bin': string;
      'go-servers': string;
      'go-prompts': string;
      'go-ask': string;
      shortcuts: string;
    };
    /** More words by which the palette finds a command. */
    also: {
      palette: string;
      'new-chat': string;
      'temporary-chat': string;
      'search-chats': string;
      find: string;
      stop: string;
      'answer-again': string;
      'copy-answer': string;
      attach: string;
      dictate: string;
      'tools-of-chat': string;
      rename: string;
      pin: string;
      archive: string;
      export: string;
      delete: string;
      list: string;
      theme: string;
      'go-tools': string;
      'go-personas': string;
      'go-notes': string;
      'go-models': string;
      'go-settings': string;
      'go-archive': string;
      'go-bin': string;
      'go-servers': string;
      'go-prompts': string;
      'go-ask': string;
      shortcuts: string;
    };
  };
  reading: {
    copyFailed: string;
    /** Buttons and labels around code and tables. */
    blocks: {
      copy: string;
      failed: string;
      wrap: string;
      lines: (count: number) => string;
      rows: (count: number) => string;
      csv: string;
      copyCsv: string;
      code: string;
      formula: string;
      table: string;
      note: (label: string) => string;
      noteBack: (label: string) => string;
      picture: (host: string) => string;
      ownPicture: string;
    };
    /** When and by which model an answer was written. */
    moment: {
      open: string;
      when: string;
      by: string;
      page: string;
      unknown: string;
    };
    /** Pictures that an answer links to. */
    pictures: {
      stop: string;
      hide: string;
      unnamed: string;
      ask: {
        title: (host: string) => string;
        hint: string;
        fetch: string;
      };
      problems: {
        offline: string;
        refused: string;
        timeout: string;
        unreachable: string;
        none: string;
        other: string;
        large: string;
        damaged: string;
      };
    };
    /** Reading an answer aloud. */
    aloud: {
      open: string;
      label: string;
      voice: string;
      start: string;
      hold: string;
      goOn: string;
      end: string;
      elsewhere: string;
      noneHere: string;
      useElsewhere: string;
      none: string;
      formula: string;
      codeLeftOut: (lines: number) => string;
    };
  };
  dictation: {
    label: string;
    title: string;
    hint: string;
    starting: string;
    listening: (language: string) => string;
    ending: string;
    ended: string;
    here: string;
    goesTo: (maker: string) => string;
    makers: {
      google: string;
      microsoft: string;
      apple: string;
      unknown: string;
    };
    leave: (language: string, maker: string) => string;
    agree: string;
    notNow: string;
    pack: (language: string) => string;
    fetchPack: string;
    withoutPack: string;
    fetching: string;
    fetched: string;
    troubles: {
      denied: string;
      'no-microphone': string;
      'nothing-heard': string;
      unreachable: string;
      'no-language': string;
      'not-allowed': string;
      taken: string;
      'no-pack': string;
      broken: string;
    };
    language: string;
    settings: {
      languageHint: string;
      ofScreen: (language: string) => string;
      leave: (maker: string) => string;
      leaveHint: string;
      none: string;
    };
  };
  trace: {
    timeline: string;
    /** Time from the first to the last known step. */
    total: (time: string) => string;
    unknownTimes: string;
    asJson: string;
    legend: string;
    /** Parts of a bar in the timeline. */
    spans: {
      loading: string;
      'summing-up': string;
      reading: string;
      writing: string;
      waiting: string;
      running: string;
    };
    /** For example “reading and waiting 1.2 s”. */
    span: (kind: string, time: string) => string;
    began: (time: string) => string;
    between: string;
    /** Between an agent and what it does. */
    within: string;
    page: string;
    notRecorded: string;
    tokens: (prompt: string, read: string, kept: string, written: string) => string;
    dropped: (count: number) => string;
    summedUp: (count: number) => string;
    masked: (count: number) => string;
    allowedBy: {
      rule: string;
      kept: string;
      once: string;
      chat: string;
      always: string;
      deny: string;
      unknown: string;
    };
    cached: string;
    outside: (hosts: string) => string;
    unanswered: string;
    failed: string;
    result: string;
    /** Labels of a call and of its card. */
    marks: {
      arguments: string;
      result: string;
      taken: string;
    };
    /** Comparing two answers to one question. */
    compare: {
      open: string;
      title: string;
      sides: readonly string[];
      version: (number: number) => string;
      same: string;
      differ: (first: number, second: number) => string;
      /** Read by a screen reader before a passage that only one answer has. */
      onlyHere: string;
    };
    /** Running an answer again from one of its steps. */
    replay: {
      question: string;
      otherQuestion: string;
      otherArguments: string;
      otherResult: string;
      /** Accessible name of a button: what it does, and for which step. */
      of: (button: string, tool: string, step: string) => string;
      titles: {
        question: string;
        arguments: (tool: string) => string;
        result: (tool: string) => string;
      };
      fields: {
        question: string;
        arguments: string;
        result: string;
      };
      isFailure: string;
      notJson: string;
      model: string;
      switches: (model: string) => string;
      before: string;
      inAgent: (agent: string) => string;
      outside: string;
      hosts: (hosts: string) => string;
      likeliest: string;
      random: (temperature: string) => string;
      otherModel: string;
      start: string;
      back: string;
    };
    wholeCut: (characters: string) => string;
  };
  draft: {
    tooLong: (model: string) => string;
    largerModels: string;
  };
  turn: {
    startModel: (model: string) => string;
    startAgain: string;
    chooseTools: string;
    showAll: string;
    showLess: string;
    suggestions: string;
    you: string;
    hearth: string;
    thinking: string;
    thought: string;
    unreadable: string;
    again: string;
    edit: string;
    delete: string;
    details: string;
    editLabel: string;
    editHint: string;
    ask: string;
    deleteQuestion: string;
    deleteAnswer: string;
    deleteLast: string;
    deleteText: string;
    interrupted: string;
    interruptedEarly: string;
    elsewhere: string;
    noAnswer: string;
    notStarted: (model: string) => string;
    continue: string;
    retry: string;
    earlier: string;
    later: string;
    claims: {
      label: string;
      values: string;
      valuesHint: string;
      deeds: string;
      deedsHint: string;
      between: string;
      more: (count: string) => string;
    };
  };
  summary: {
    name: string;
    above: string;
    line: (turns: number) => string;
    hint: string;
    range: (from: string, to: string) => string;
    only: (question: string) => string;
    byModel: (model: string) => string;
    byBoth: (model: string) => string;
    byRule: string;
    outside: (hosts: string) => string;
    between: string;
  };
  call: {
    arguments: string;
    result: string;
    repairs: string;
    kept: (age: string) => string;
    again: string;
    tokens: (count: string) => string;
    answeredBy: (model: string, place: string) => string;
    noteKept: string;
    notesFound: (count: number) => string;
    cut: (given: string, all: string) => string;
    showWhole: string;
    wholeTitle: (tool: string) => string;
    wholeText: string;
    wholeGone: string;
    wholeUnreadable: string;
    copyWhole: string;
    lost: {
      full: string;
      'too-long': string;
    };
  };
  link: {
    title: (host: string) => string;
    hint: string;
    hintOfServer: string;
    address: string;
    open: string;
  };
  approval: {
    title: (tool: string) => string;
    /** Why Hearth asks for permission. */
    reasons: {
      'first-search': string;
      'search-after-outside-text': string;
      'new-host': string;
      'many-addresses': string;
      'composed-url': string;
      'composed-url-after-outside-text': string;
      'built-in-hosts': string;
      'tool-hosts': string;
      'tool-hosts-after-outside-text': string;
      'composed-text': string;
      'side-effect': string;
      note: string;
      'note-after-outside-text': string;
      remote: string;
      'remote-after-outside-text': string;
      'agent-server': string;
      'agent-server-after-outside-text': string;
      unasked: string;
      'remote-carries': string;
    };
    otherChat: (title: string) => string;
    lastChance: string;
    tool: string;
    path: string;
    goesTo: string;
    via: string;
    writtenAs: (letters: string) => string;
    address: string;
    queryHint: string;
    query: string;
    note: string;
    arguments: string;
    sources: string;
    noSources: string;
    extent: (length: string, below?: string) => string;
    readFirst: string;
    deny: string;
    once: string;
    chat: string;
    always: (host: string) => string;
  };
  notices: {
    shareLost: string;
    updatePhases: {
      ready: string;
      applying: string;
      held: string;
    };
    updateNews: string;
    updateMore: (count: number) => string;
    updateNow: string;
    updateLater: string;
    memory: string;
    unreadable: string;
    startAfresh: string;
    newer: string;
    blocked: string;
    closed: {
      updated: string;
      deleted: string;
      lost: string;
    };
    shortened: (found: number, expected: number) => string;
    accept: string;
    restore: string;
    nearlyFull: string;
    seeStorage: string;
    later: string;
    saveAgain: string;
    unsaved: string;
    damaged: (count: number) => string;
    offline: string;
    fault: string;
    diagnostics: string;
    dropped: (model: string) => string;
  };
  settings: {
    back: string;
    language: string;
    ofBrowser: (name: string) => string;
    appearance: string;
    themes: {
      system: string;
      light: string;
      dark: string;
    };
    contrast: string;
    contrasts: {
      system: string;
      more: string;
    };
    textSize: string;
    textSizes: {
      small: string;
      normal: string;
      large: string;
      larger: string;
      largest: string;
    };
    rounds: string;
    roundsHint: string;
    roundsError: (kept: number) => string;
    claims: string;
    claimsHint: string;
    addresses: {
      title: string;
      hint: string;
      none: string;
      address: string;
      allow: string;
      remove: (address: string) => string;
      problems: {
        scheme: string;
        wildcard: string;
        credentials: string;
        path: string;
        unreadable: string;
        known: string;
      };
    };
    requests: {
      title: string;
      hint: string;
      none: string;
      time: string;
      tool: string;
      host: string;
      noHost: string;
      bytes: string;
      outcome: string;
      answered: (status: number) => string;
      error: (status: number) => string;
      failures: {
        offline: string;
        'refused-address': string;
        'refused-request': string;
        'refused-redirect': string;
        timeout: string;
        'wrong-type': string;
        'too-long': string;
        unreachable: string;
        stopped: string;
      };
      all: (count: number) => string;
      clear: string;
    };
    answers: {
      title: string;
      unsure: string;
      unsureHint: string;
    };
    search: {
      title: string;
      text: string;
      on: string;
      /** Names of search providers that are not the name of a company. */
      names: Readonly<Record<string, string>>;
      url: string;
      key: string;
      showKey: string;
      hideKey: string;
      perMinute: string;
      perMinuteError: string;
      urlError: string;
      templateError: string;
      templateHint: string;
      paths: {
        list: string;
        title: string;
        url: string;
        content: string;
      };
      missing: string;
      hints: Readonly<Record<string, string>>;
      try: string;
      trying: string;
      tried: (count: number) => string;
      sample: string;
      first: string;
      firstHint: string;
    };
    proxy: string;
    proxyHint: string;
    proxyError: string;
    permissions: {
      title: string;
      hint: string;
      none: string;
      search: (provider: string) => string;
      change: (host: string) => string;
      always: string;
      inChat: (title: string) => string;
      since: (scope: string, time: string) => string;
      remove: string;
      removeName: (tool: string, place: string) => string;
    };
    storage: string;
    measuring: string;
    unmeasured: string;
    used: (used: string, quota?: string) => string;
    persisted: string;
    notPersisted: string;
    askToPersist: string;
    persistDenied: string;
    parts: {
      caption: string;
      kind: string;
      bytes: string;
      names: {
        chats: string;
        attachments: string;
        results: string;
        prompts: string;
        models: string;
        index: string;
        app: string;
        rest: string;
      };
      delete: string;
      deleteName: (name: string) => string;
      rebuild: string;
      building: string;
      built: string;
      unbuilt: string;
      titles: {
        chats: string;
        results: string;
        prompts: string;
        models: string;
      };
      texts: {
        chats: string;
        results: string;
        prompts: string;
        models: string;
      };
      failed: string;
      about: string;
    };
    deleteAll: string;
    deleteTitle: string;
    deleteText: (chats: number | undefined, used: string) => string;
    notDeleted: {
      held: string;
      unreachable: string;
      refused: string;
    };
    about: string;
    version: (version: string) => string;
    licences: string;
  };
  details: {
    title: string;
    round: (number: number) => string;
    ownModel: (agent: string, model: string, place: string) => string;
    otherModel: (agent: string, model: string) => string;
    model: string;
    engine: string;
    writer: string;
    byPage: string;
    insteadOfModel: (model: string) => string;
    insteadText: string;
    finish: string;
    finishes: {
      loop: string;
      stop: string;
      length: string;
      'tool-calls': string;
      aborted: string;
      error: string;
    };
    written: string;
    stages: string;
    stageNames: {
      replay: string;
      'page-replies': string;
      doubt: string;
      summary: string;
      'tool-list': string;
      persona: string;
      conversation: string;
      pictures: string;
      'cancelled-load': string;
      'read-ahead': string;
      fallback: string;
    };
    tools: string;
    toolList: (listed: string, on: string, tokens: string, names: string) => string;
    promptTokens: string;
    prompt: (total: string, prefilled: string) => string;
    sampling: string;
    sampled: (temperature: number, topP?: number) => string;
    sureness: string;
    sure: (percent: string) => string;
    readings: string;
    votes: (votes: number, of: number) => string;
    chosenBy: {
      person: string;
      page: string;
    };
    heldTo: string;
    held: {
      dictated: string;
      call: string;
      prose: string;
      answer: string;
      offered: string;
    };
    prefill: string;
    prefillReasons: {
      loaded: string;
      'other-chat': string;
      'start-dropped': string;
      'summed-up': string;
      stopped: string;
      'cut-off': string;
      system: string;
      agent: string;
      history: (message: number, of: number) => string;
      'several-new': (messages: number) => string;
      excess: (prefilled: string, fresh: string) => string;
    };
    outputTokens: string;
    output: (total: string) => string;
    speed: string;
    firstToken: string;
    promptText: string;
    noPrompt: string;
    rawText: string;
    noRaw: string;
    calls: string;
    recoveries: string;
    error: string;
    duration: (duration: string) => string;
  };
  models: {
    intro: string;
    looking: string;
    recommendedSlow: string;
    noneFits: string;
    room: (free: string) => string;
    stored: (bytes: string) => string;
    groups: {
      best: string;
      here: string;
      others: string;
      large: string;
    };
    folded: {
      tight: (count: number) => string;
      unfit: (count: number) => string;
    };
    recommendedMark: string;
    chosen: string;
    inThisChat: string;
    missing: string;
    all: string;
    wayOn: {
      get: (name: string, size: string, isSlow: boolean) => string;
      use: (name: string) => string;
      coming: (name: string) => string;
      offline: (name: string, size: string) => string;
      none: string;
    };
    more: string;
    speeds: {
      measured: (tokens: string) => string;
      builtIn: string;
      quick: string;
      steady: string;
      heavy: string;
      processor: string;
      software: string;
    };
    running: string;
    starting: string;
    startingAt: (percent: string) => string;
    builtIn: string;
    own: string;
    about: (size: string) => string;
    cost: (download: string, memory?: string) => string;
    unknownCost: string;
    kept: (bytes: string) => string;
    part: (here: string, all: string) => string;
    partOfUnknown: (here: string) => string;
    gone: string;
    facts: (licence: string, context: string) => string;
    reads: (context: string) => string;
    languages: (names: string) => string;
    thinks: string;
    download: string;
    pause: string;
    resume: string;
    use: string;
    loadBeside: string;
    delete: string;
    deleteTitle: (name: string) => string;
    deleteText: string;
    deleteConfirm: string;
    export: string;
    exported: string;
    exportFailed: string;
    progress: (here: string, all: string) => string;
    speed: (bytes: string) => string;
    left: (time: string) => string;
    preparing: string;
    failures: {
      paused: string;
      offline: string;
      unreachable: string;
      'refused-address': string;
      missing: string;
      forbidden: string;
      server: string;
      'wrong-file': string;
      damaged: string;
      full: string;
      busy: string;
      unsupported: string;
    };
    details: (text: string) => string;
    findings: {
      'no-gpu': (isBlocked: boolean) => string;
      limit: string;
      memory: (needs: string, has: string) => string;
      room: (needs: string, has: string) => string;
      'full-precision': string;
    };
    verdicts: {
      good: string;
      slow: string;
      unlikely: string;
      impossible: string;
    };
    add: {
      title: string;
      hint: string;
      modelUrl: string;
      id: string;
      libraryUrl: string;
      overrides: string;
      add: string;
      added: (id: string) => string;
      json: string;
      addJson: string;
      fromDisk: string;
      fromDiskHint: string;
      file: string;
      folder: string;
      importing: string;
      failed: string;
      problems: {
        'model-url': string;
        'library-url': string;
        id: string;
        known: string;
        overrides: string;
        json: string;
        'no-config': string;
        'no-weights': string;
        damaged: string;
        'no-library': string;
        'not-gguf': string;
        full: string;
      };
    };
    options: {
      title: string;
      thinking: string;
      thinkingHint: string;
      advanced: string;
      temperature: string;
      topP: string;
      cores: string;
      coresHint: string;
      noCores: string;
      gpu: string;
      gpuHint: string;
      samplingHint: string;
      samplingError: (from: number, to: number) => string;
    };
    mirrors: {
      title: string;
      hint: string;
      of: (host: string) => string;
      wrong: string;
    };
    diagnostics: {
      title: string;
      findings: {
        'gpu-none': string;
        'gpu-blocked': string;
        'gpu-software': string;
        'has-f16': string;
        'no-f16': string;
        'relaxed-simd': string;
        'plain-simd': string;
        gpu: (name: string) => string;
        'gpu-limit': (limit: string, has: string, needs: string) => string;
        memory: (gigabytes: string, budget: string) => string;
        'memory-unknown': (budget: string) => string;
        cores: (cores: string, threads: number) => string;
        'not-isolated': (threads: string) => string;
        room: (free: string) => string;
        'room-unknown': string;
        persisted: string;
        'not-persisted': string;
        'browser-model-unfit': string;
        'no-files': string;
      };
    };
  };
  exam: {
    begin: string;
    stop: string;
    instead: string;
    show: string;
    about: string;
    starting: string;
    progress: (done: string, of: string, right: string) => string;
    progressOf: (name: string) => string;
    waiting: string;
    broken: (done: string, of: string) => string;
    finished: (right: string, of: string) => string;
    busy: (name: string) => string;
    elsewhere: string;
    replaced: string;
    kept: string;
    table: string;
    request: string;
    kinds: {
      sums: string;
      time: string;
      search: string;
      page: string;
      custom: string;
      several: string;
      chain: string;
      none: string;
      honest: string;
    };
    english: string;
    chinese: string;
    all: string;
    share: (right: string, of: string) => string;
    asked: string;
    speed: string;
    firstToken: string;
    date: string;
    none: string;
    noMistakes: string;
    mistakes: (count: string) => string;
    expected: {
      calls: (calls: string) => string;
      noCall: string;
      facts: (facts: string) => string;
      plain: string;
    };
    came: {
      choice: string;
      calls: (calls: string) => string;
      noCall: string;
      text: (text: string) => string;
      noText: string;
      invented: (figure: string) => string;
      failed: (detail: string) => string;
    };
  };
  endpoints: {
    title: string;
    hint: string;
    add: string;
    edit: string;
    editing: (model: string) => string;
    remove: string;
    fields: {
      address: string;
      key: string;
      model: string;
      context: string;
      isNative: string;
      canSee: string;
    };
    hints: {
      address: string;
      key: string;
      keyKept: string;
      model: string;
      context: string;
      isNative: string;
      canSee: string;
    };
    forgetKey: string;
    tryIt: string;
    trying: (host: string) => string;
    save: string;
    allow: (origin: string) => string;
    allowing: (origin: string) => string;
    /** Shown in the form of an endpoint, in place of `errors`. */
    faults: {
      'endpoint-unreachable': (model: string) => string;
      'endpoint-key': (model: string, detail: string) => string;
      'endpoint-missing': (model: string, detail: string) => string;
      'endpoint-redirect': () => string;
      'endpoint-form': (model: string, detail: string) => string;
    };
    found: {
      list: (count: number) => string;
      noList: string;
      chooseModel: string;
      answers: (model: string) => string;
      streams: string;
      whole: string;
      native: string;
      noNative: string;
      sees: string;
      seesNone: string;
      elsewhere: (host: string) => string;
      network: (host: string) => string;
      loopback: (host: string) => string;
    };
    asked: {
      native: string;
      prompt: string;
      pictures: string;
    };
    problems: {
      address: string;
      model: string;
      known: string;
      context: string;
    };
    cors: {
      title: string;
      hint: (origin: string) => string;
      lmStudio: string;
      ollama: string;
      llamaCpp: string;
      vllm: string;
      other: string;
      mixed: string;
    };
    /** Shown while Hearth waits before it asks a server again. */
    busy: (model: string, seconds: string) => string;
    places: {
      processor: string;
      gpu: string;
      browser: string;
      elsewhere: string;
      network: string;
      loopback: string;
    };
  };
  browser: {
    about: string;
    states: {
      here: string;
      coming: string;
      'can-come': string;
      unfit: string;
    };
    window: string;
    follow: string;
    progress: (percent: string) => string;
    begins: string;
    leave: string;
    left: string;
  };
  backup: {
    title: string;
    about: string;
    choose: string;
    parts: {
      chats: string;
      notes: string;
      prompts: string;
      personas: string;
      tools: string;
      servers: string;
      permissions: string;
      settings: string;
      keys: string;
    };
    keysHint: string;
    passphrase: string;
    passphraseHint: string;
    show: string;
    hide: string;
    everything: string;
    chosen: string;
    import: string;
    again: string;
    stop: string;
    writing: (percent: string) => string;
    reading: (percent: string) => string;
    taking: (percent: string) => string;
    written: (chats: string, messages: string, size: string) => string;
    sealed: string;
    unreadable: (count: string) => string;
    preview: string;
    ofFile: (name: string, when: string) => string;
    ofUndatedFile: (name: string) => string;
    sources: {
      hearth: string;
      chatgpt: string;
      'open-webui': string;
      'llama-ui': string;
    };
    kind: string;
    inFile: string;
    added: string;
    differing: string;
    tables: Readonly<Record<string, string>>;
    leftOut: (count: string, such: string) => string;
    unplaced: {
      hearth: string;
      chatgpt: string;
      'open-webui': string;
      'llama-ui': string;
    };
    nothing: string;
    between: string;
    takeParts: string;
    trust: string;
    mergeHint: string;
    replaceHint: string;
    merge: string;
    replace: string;
    replaceTitle: string;
    replaceText: (parts: string) => string;
    waiting: string;
    taken: (chats: string, messages: string) => string;
    takenOther: string;
    folder: {
      title: string;
      about: string;
      passphrase: string;
      notOffered: string;
      remind: string;
      choose: string;
      other: string;
      forget: string;
      now: string;
      allow: string;
      restore: (when: string) => string;
      older: string;
      from: (when: string) => string;
      passedOver: {
        damaged: (when: string) => string;
        unopened: (when: string) => string;
      };
      chosen: (name: string) => string;
      encrypted: string;
      open: string;
      busy: string;
      last: (when: string, size: string) => string;
      none: string;
      noneSince: string;
      see: string;
      troubles: {
        permission: string;
        gone: string;
        full: string;
        unsound: string;
        unkept: string;
        failed: string;
      };
      reminder: (days?: number) => string;
    };
  };
  chatFile: {
    title: (title: string) => string;
    kind: string;
    kinds: {
      markdown: string;
      html: string;
      json: string;
    };
    hints: {
      markdown: string;
      html: string;
      json: string;
    };
    save: string;
    richText: string;
    copyRichText: string;
    inFile: {
      you: string;
      hearth: string;
      files: (names: string) => string;
      called: (tool: string) => string;
      written: (when: string) => string;
    };
  };
  personas: {
    intro: string;
    own: string;
    none: string;
    newPersona: string;
    import: string;
    edit: string;
    isTool: (name: string) => string;
    answersWith: (model: string) => string;
    damaged: (name: string) => string;
    removeDamaged: string;
    gallery: string;
    galleryIntro: string;
    add: string;
    added: string;
    open: string;
    back: string;
    loading: string;
    missing: string;
    untitled: string;
    fields: {
      name: string;
      description: string;
      instructions: string;
      questions: string;
      model: string;
      sampling: string;
      temperature: string;
      topP: string;
      language: string;
      tools: string;
      areCardsFolded: string;
      isTool: string;
      inputSchema: string;
      outputSchema: string;
    };
    descriptionHint: string;
    instructionsHint: string;
    questionsHint: string;
    answers: string;
    chatsModel: string;
    notHere: (model: string) => string;
    samplingHint: string;
    asAsked: string;
    allTools: string;
    allToolsHint: string;
    toolKinds: {
      own: string;
      persona: string;
      gone: string;
    };
    noTools: string;
    foldedHint: string;
    asTool: string;
    isToolHint: string;
    toolName: string;
    noToolName: string;
    inputHint: string;
    outputHint: string;
    inputFields: string;
    outputFields: string;
    addInput: string;
    addOutput: string;
    file: string;
    export: string;
    duplicate: string;
    save: string;
    saved: string;
    unsaved: string;
    discard: string;
    delete: string;
    preview: {
      title: (name: string) => string;
      text: string;
      asked: string;
      nothing: string;
      offered: string;
      yes: string;
      no: string;
      whole: string;
    };
    arrived: (tools: string) => string;
    arrivedAsTool: string;
    between: string;
    unreadable: (reason: string) => string;
    fileProblems: {
      'too-large': string;
      'not-json': string;
      'other-kind': string;
      newer: string;
      damaged: string;
      'not-read': string;
    };
    problems: string;
    problemAt: (field: string, place: string) => string;
    problemCodes: {
      'name-missing': string;
      'too-long': string;
      'tool-name-missing': string;
      'tool-name-taken': string;
      'tool-name-reserved': string;
      'description-short': string;
      range: string;
      schema: string;
      pattern: string;
      'not-checked': string;
    };
    inChat: {
      tooSmall: (model: string) => string;
      larger: string;
      stop: string;
      modelMissing: (persona: string, model: string) => string;
      models: string;
      onlyThese: (persona: string) => string;
      noTools: (persona: string) => string;
    };
    inTools: {
      title: string;
      intro: string;
    };
  };
  servers: {
    title: string;
    intro: string;
    loading: string;
    none: string;
    add: string;
    fields: {
      url: string;
      name: string;
      header: string;
      key: string;
      clientId: string;
      clientSecret: string;
    };
    hints: {
      name: string;
      header: string;
      key: string;
      clientId: string;
      clientSecret: string;
    };
    more: string;
    connect: string;
    connecting: (host: string) => string;
    added: (name: string) => string;
    problemCodes: {
      'url-form': string;
      'url-taken': string;
      'name-missing': string;
      'name-taken': string;
      'header-form': string;
      'key-missing': string;
      'key-form': string;
    };
    problems: {
      address: string;
      redirect: string;
      offline: string;
      cors: string;
      certificate: string;
      timeout: string;
      'not-mcp': string;
      version: string;
      login: string;
      'login-failed': string;
      forbidden: string;
      status: string;
      broken: string;
      'too-long': string;
    };
    allow: (origin: string) => string;
    found: string;
    headers: string;
    copyHeaders: string;
    states: {
      connecting: string;
      ready: (protocol: string) => string;
      away: string;
    };
    says: (name: string, version: string) => string;
    open: (name: string) => string;
    refresh: string;
    refreshed: string;
    signIn: string;
    signingIn: string;
    signOut: string;
    signedIn: string;
    loginHosts: string;
    verdicts: {
      done: string;
      window: string;
      closed: string;
      'other-hosts': string;
      address: string;
      failed: string;
    };
    remove: string;
    key: {
      title: string;
      kept: (header: string) => string;
      none: (header: string) => string;
      label: string;
      keep: string;
      forget: string;
    };
    damaged: (name: string) => string;
    removeDamaged: string;
    tools: {
      title: string;
      offAtFirst: string;
      count: (on: string, all: string) => string;
      none: string;
      find: string;
      noneFound: string;
      more: (count: string) => string;
      of: (server: string) => string;
      calledAs: (alias: string) => string;
      noDescription: string;
      whole: (count: string) => string;
      fold: string;
      form: string;
      hintsSay: string;
      hints: Readonly<Record<string, { yes: string; no: string }>>;
      believed: string;
      between: string;
      reasons: {
        schema: string;
        'too-long': string;
        name: string;
      };
      changed: string;
      changes: (tool: string) => string;
      away: (server: string) => string;
    };
    page: {
      back: string;
      missing: string;
      address: string;
      state: string;
      self: string;
      calls: string;
      failed: (count: string) => string;
      sent: string;
      received: string;
      since: string;
      login: string;
      instructions: string;
      instructionsHint: string;
      log: string;
      noLog: string;
      time: string;
      what: string;
      outcome: string;
      duration: string;
      all: (count: string) => string;
    };
    question: {
      title: (server: string) => string;
      from: string;
      warning: string;
      required: string;
      optional: string;
      choose: string;
      dateTime: string;
      send: string;
      decline: string;
      problems: string;
      failures: {
        missing: string;
        'too-short': string;
        'too-long': string;
        email: string;
        uri: string;
        date: string;
        'date-time': string;
        number: string;
        whole: string;
        least: string;
        most: string;
        few: string;
        many: string;
      };
      between: (least: string | undefined, most: string | undefined, unit: string) => string;
      characters: string;
      url: string;
      address: string;
      notOpened: string;
      open: string;
      done: string;
    };
    slash: {
      title: string;
      prompts: string;
      resources: string;
      looking: string;
      count: (count: number) => string;
      more: (count: string) => string;
      fill: (prompt: string) => string;
      insert: string;
      failed: string;
      attached: string;
      textOf: (host: string) => string;
      sharedText: string;
      remove: (name: string) => string;
    };
    card: {
      picture: (tool: string, place: string, all: string) => string;
      links: string;
    };
    ask: {
      server: string;
      textFrom: (host: string) => string;
    };
  };
  search: {
    results: string;
    found: (count: number, hasMore: boolean) => string;
    none: string;
    noneYet: string;
    building: (percent: string) => string;
    unkept: string;
    broken: string;
    full: string;
    rebuild: string;
    more: string;
    places: {
      question: string;
      answer: string;
      rest: string;
    };
  };
  chats: {
    rename: string;
    export: string;
    name: string;
    delete: string;
    versions: {
      label: string;
      previous: string;
      next: string;
      stay: string;
    };
    /** Must not begin like “New chat”, or searching the page for that button finds every answer. */
    branch: string;
    /** Between two sentences. */
    space: string;
    binText: string;
    deleteTitle: (title: string) => string;
    deleteConfirm: string;
    leave: {
      title: string;
      text: string;
      confirm: string;
    };
    menu: {
      pin: string;
      unpin: string;
      archive: string;
      unarchive: string;
      branch: string;
      select: string;
      move: string;
    };
    folders: {
      name: string;
      create: string;
      none: string;
      actions: string;
      rename: string;
      delete: string;
      deleteHint: string;
      /** Read by a screen reader after the number of chats in a folder. */
      chats: (count: number) => string;
    };
    selection: {
      label: string;
      count: (count: number) => string;
      end: string;
    };
    more: string;
    archive: {
      intro: string;
      none: string;
    };
    bin: {
      intro: string;
      none: string;
      restore: string;
      purge: string;
      empty: string;
      unnamed: string;
      note: (kind: string, time: string) => string;
      kinds: {
        chat: () => string;
        messages: (count: number) => string;
        persona: () => string;
        tool: () => string;
        note: () => string;
        prompt: () => string;
        server: () => string;
        model: () => string;
      };
      purgeTitle: (count: number, name: string) => string;
      purgeText: string;
    };
    /** Read by a screen reader when an action is done. */
    actions: {
      pinned: string;
      unpinned: string;
      archived: string;
      unarchived: string;
      moved: string;
      branched: string;
      restored: string;
      purged: string;
      undone: string;
      copied: string;
      copyFailed: string;
      switchedOn: string;
      switchedOff: string;
      personaChanged: string;
    };
    deletion: {
      label: string;
      undo: string;
      /** Read by a screen reader after the message about what was deleted. */
      hint: (keys: string) => string;
      failed: string;
      said: {
        chat: (name: string, count: number) => string;
        messages: () => string;
        answer: () => string;
        persona: (name: string) => string;
        tool: (name: string) => string;
        note: () => string;
        prompt: (name: string) => string;
        'follow-up': () => string;
        folder: (name: string) => string;
        server: (name: string) => string;
        model: (name: string) => string;
      };
    };
  };
  find: {
    label: string;
    place: (at: string, of: string, isLooking: boolean) => string;
    none: string;
    previous: string;
    previousKeys: string;
    next: string;
    nextKeys: string;
    close: string;
  };
  findSettings: {
    label: string;
    found: (parts: number) => string;
    none: string;
    groups: {
      general: string;
      asking: string;
      web: string;
      privacy: string;
      data: string;
    };
    /** More words by which a part of the settings is found. */
    also: {
      language: string;
      appearance: string;
      rounds: string;
      answers: string;
      dictation: string;
      'web-search': string;
      proxy: string;
      mirrors: string;
      permissions: string;
      addresses: string;
      requests: string;
      backup: string;
      storage: string;
      about: string;
    };
    hints: {
      language: string;
      theme: string;
      contrast: string;
      textSize: string;
      key: string;
      perMinute: string;
    };
  };
  files: {
    add: string;
    addKeys: string;
    drop: string;
    goWith: (names: string) => string;
    /** Between two names of files. */
    between: string;
    reading: (name: string) => string;
    questions: {
      pictures: (count: number) => string;
      texts: (count: number) => string;
    };
    kinds: {
      text: string;
      table: string;
      json: string;
      page: string;
      pdf: string;
      document: string;
      picture: string;
    };
    facts: (kind: string, size: string) => string;
    list: string;
    dismiss: (name: string) => string;
    asText: (name: string) => string;
    open: (name: string) => string;
    whole: {
      wholeText: string;
      wholeGone: string;
      wholeUnreadable: string;
    };
    save: string;
    pixels: (width: string, height: string) => string;
    pictureOf: (name: string) => string;
    unseen: (model: string) => string;
    askSeeing: (model: string) => string;
    findSeeing: string;
    troubles: {
      archive: (name: string) => string;
      bomb: (name: string) => string;
      damaged: (name: string) => string;
      empty: (name: string) => string;
      encrypted: (name: string) => string;
      kept: (name: string) => string;
      large: (name: string) => string;
      many: (name: string) => string;
      missing: (name: string) => string;
      office: (name: string) => string;
      'old-office': (name: string) => string;
      pixels: (name: string) => string;
      scanned: (name: string) => string;
      slow: (name: string) => string;
      unknown: (name: string) => string;
    };
  };
  framed: {
    text: string;
    open: string;
  };
}
