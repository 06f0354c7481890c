/** What is said of backups, in Simplified Chinese. */
import type { BackupWords, enBackupErrors } from './en-backup';

export const zhBackupErrors: typeof enBackupErrors = {
  'backup-unknown': () =>
    'Hearth 读不了这种文件。这里没有任何改动。请选择 Hearth 的备份、ChatGPT 或 Open WebUI 的导出文件，或 llama.cpp 的聊天。',
  'backup-damaged': () =>
    '这个文件不完整，或在写好之后被改动过。这里没有任何改动。请从原处重新复制，或选择另一个备份。',
  'backup-refused': () =>
    '这个文件里有 Hearth 备份中不会有的内容，所以没有继续读取。这里没有任何改动。请只导入自己的或可信来源的文件。',
  'backup-newer': () =>
    '这个文件由更新版本的 Hearth 写成。这里没有任何改动。请重新加载以获取最新版本，然后再导入。',
  'backup-too-large': () => '这个文件的内容太多，浏览器放不下。这里没有任何改动。请腾出一些空间，再试一次。',
  'backup-passphrase': () =>
    '这个文件是加密的，而口令没有填，或填得不对。这里没有任何改动。请输入制作时用的口令，再试一次。',
  'backup-unread': () =>
    '浏览器读不了这个文件：它被移走、正在改动，或不允许读取。这里没有任何改动。请重新选择它。',
  'backup-unwritable': () => '浏览器写不了这个文件。聊天记录都在。请换一个位置，再试一次。',
  'backup-gone': () => '从文件读入的内容已经不在了。这里没有任何改动。请重新选择文件。',
  'backup-broken': () =>
    'Hearth 在处理时崩溃了，可能是内存不足。这里没有任何改动。请关闭其他标签页，再试一次。',
};

export const zhBackup: BackupWords = {
  title: '备份',
  about: '把 Hearth 里保存的一切放进一个文件，可以在另一台设备上打开。除非你自己带走，它不会离开这台设备。',
  choose: '选择放进哪些内容',
  parts: {
    chats: '聊天',
    notes: '笔记',
    prompts: '你的提示词',
    personas: '角色',
    tools: '自己的工具',
    servers: 'MCP 服务器',
    permissions: '许可',
    settings: '设置、记录和模型测试',
    keys: '密钥和登录信息',
  },
  keysHint: '只放进带口令的文件。谁能打开那个文件，谁就能使用你的账号。',
  passphrase: '口令',
  passphraseHint:
    '填写口令后，文件会加密。除此之外没有别的办法打开它：口令丢了，文件也就打不开了。四五个随机的词就很好。',
  show: '显示',
  hide: '隐藏',
  everything: '全部导出',
  chosen: '导出所选内容',
  import: '导入',
  again: '再试一次',
  stop: '停止',
  writing: (percent) => `正在写文件：${percent}`,
  reading: (percent) => `正在读文件：${percent}。现在还没有任何改动。`,
  taking: (percent) => `正在放入：${percent}。要么全部放入，要么一点也不放。`,
  written: (chats, messages, size) => `已写好：${chats} 个聊天，${messages} 条消息，${size}。`,
  sealed: '只有用这个口令才能打开，请把口令另外存放。',
  unreadable: (count) => `有 ${count} 处已损坏，读不出或只能读出一部分；能读出的都在文件里。`,
  preview: '这个文件会带来什么',
  ofFile: (name, when) => `${name}，写于 ${when}。`,
  ofUndatedFile: (name) => `${name}。`,
  sources: {
    hearth: 'Hearth 的备份。',
    chatgpt: 'ChatGPT 的导出文件。',
    'open-webui': 'Open WebUI 的导出文件。',
    'llama-ui': 'llama.cpp 的聊天。',
  },
  kind: '种类',
  inFile: '文件中',
  added: '这里没有',
  differing: '与这里不同',
  tables: {
    chats: '聊天',
    messages: '消息',
    folders: '文件夹',
    drafts: '未发送的文字',
    followUps: '排队中的消息',
    results: '长结果',
    attachments: '附加的文件',
    notes: '笔记',
    prompts: '你的提示词',
    personas: '角色',
    customTools: '自己的工具',
    mcpServers: 'MCP 服务器',
    grants: '许可',
    settings: '设置',
    requests: '请求记录',
    toolStatistics: '工具统计',
    exams: '模型测试',
    toolSecrets: '工具的密钥',
    mcpSecrets: '服务器的密钥和登录信息',
  },
  leftOut: (count, such) => `文件里有 ${count} 项内容（例如${such}）在这里没有对应的位置，不会带进来。`,
  unplaced: {
    hearth: '图片和附件',
    chatgpt: '图片、附件、工具调用、自定义指令和记忆',
    'open-webui': '图片、附件、工具调用、标签，以及文件里没有名称的文件夹',
    'llama-ui': '图片、附件、工具调用和系统消息',
  },
  nothing: '文件里什么也没有。',
  between: '、',
  takeParts: '带进来的内容',
  trust: '工具、服务器、许可和设置决定 Hearth 运行什么、向谁发请求。请只从自己的文件带入这些。',
  mergeHint: '“合并”会加上这里没有的。两边都有而不同的，保留较晚的；没有时间可比的，保留这里的。',
  replaceHint: '“替换”会先从这个浏览器中删除上面所选的内容，再放入文件里的。',
  merge: '合并',
  replace: '替换',
  replaceTitle: '要替换这里的内容吗？',
  replaceText: (parts) =>
    `会先把这里的这些内容永久删除：${parts}。然后放入文件里的。文件里没有的密钥，会随所属的设置一起删除。`,
  waiting: '有聊天正在回答。请等它结束，再放入文件。',
  taken: (chats, messages) => `已放入：${chats} 个聊天，${messages} 条消息。`,
  takenOther: '已放入。',
  folder: {
    title: '自动备份',
    about:
      '选择一次文件夹，Hearth 就会在有改动后把备份放在那里，每小时最多一个，并把每个都读回来检查是否完整。保留最近十个，以及更早的每个月的最后一个；文件夹里的其他文件不会被动。如果你的电脑会把这个文件夹同步到别处，备份也会一起过去。',
    passphrase:
      '如果在上面填写了口令，这些备份就用它加密，并包含你的密钥。口令会保存在这个浏览器里，免得每次都问你。',
    notOffered:
      '这个浏览器不能记住文件夹，所以不会自动备份。电脑上的 Chrome 和 Edge 可以。在这里，请不时点一下“全部导出”。',
    remind: '提醒我，每月最多一次',
    choose: '选择文件夹',
    other: '选择另一个文件夹',
    forget: '停止自动备份',
    now: '立即备份',
    allow: '允许并立即备份',
    restore: (when) => `恢复 ${when} 的备份`,
    older: '更早的',
    from: (when) => `用 ${when} 的`,
    passedOver: {
      damaged: (when) => `${when} 的备份已损坏，所以跳过了它。`,
      unopened: (when) => `${when} 的备份打不开，所以跳过了它。`,
    },
    chosen: (name) => `备份放在“${name}”。`,
    encrypted: '备份已加密。',
    open: '备份没有加密，也不含密钥。',
    busy: '正在处理。',
    last: (when, size) => `上次备份：${when}，${size}，已读回检查，完整。`,
    none: '还没有备份。',
    noneSince: '这里还没有做过备份。可以先恢复文件夹里已有的备份；这里有改动之后，会再做新的。',
    see: '查看备份',
    troubles: {
      permission: '备份已暂停：浏览器要你重新允许使用这个文件夹。内容都还在这里。请点“允许并立即备份”。',
      gone: '备份已暂停：文件夹不在了。内容都还在这里。请选择另一个文件夹。',
      full: '备份已暂停：文件夹所在的磁盘满了。内容都还在这里。请腾出空间，或选择另一个文件夹。',
      unsound: '上一个备份读回来和写入的不一样，已经删除。更早的都还在。磁盘可能有问题，请选择另一个文件夹。',
      unkept:
        '记不住这个文件夹：浏览器现在打不开它存储的数据。你的备份没有受影响。请先重新加载；如果没有用，请在浏览器设置里删除本网站的数据，再选择这个文件夹。',
      failed: '上一个备份没能写成。内容都还在这里。请点“立即备份”，或选择另一个文件夹。',
    },
    reminder: (days) =>
      days === undefined
        ? '你的聊天只在这个浏览器里。“全部导出”会把它们做成一个文件，可以存到别处。'
        : `上次导出是 ${days} 天前。此后的内容只在这个浏览器里。`,
  },
};
