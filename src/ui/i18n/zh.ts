/** What is seen at once, in Simplified Chinese. */
import type { Words } from './en';

export const zh: Words = {
  navigation: {
    label: 'Hearth',
    newChat: '新聊天',
    models: '模型',
    open: '显示聊天列表',
    close: '关闭聊天列表',
    tools: '工具',
    settings: '设置',
    latest: '回到最新',
    missing: '有一部分没能加载。什么都没丢。请联网后重新加载。',
  },
  actions: {
    cancel: '取消',
    close: '关闭',
    copy: '复制',
    copied: '已复制',
    copyFailed: '浏览器不允许复制。请选中文字手动复制。',
    reload: '重新加载',
  },
  chats: {
    list: '聊天',
    none: '聊天会列在这里。',
    days: { today: '今天', yesterday: '昨天', earlier: '更早' },
    isRunning: 'Hearth 正在回答',
    actions: '重命名或删除',
    rename: '重命名',
    name: '聊天名称',
    delete: '删除',
    deleteTitle: (title) => `删除“${title}”？`,
    deleteText: '其中所有问答都会从本设备删除，无法恢复。',
    deleteConfirm: '删除聊天',
  },
  empty: {
    title: '想算点什么？',
    text: (model) =>
      `小模型 ${model} 就在这个标签页里运行。它会计算，也知道各地的时间，断网照样能用。聊天只存在本设备上。`,
    examples: [
      { question: '2340的17.5%是多少？', tool: 'calculator' },
      { question: '东京现在几点？', tool: 'clock' },
      { question: '2的64次方是多少？', tool: 'calculator' },
      { question: '今天星期几？', tool: 'clock' },
    ],
  },
  composer: {
    label: '消息',
    placeholder: '问点什么',
    send: '发送',
    stop: '停止',
    promise: '未经您允许，任何内容都不会离开本设备。',
    busy: (model) => `${model} 还在回答。你写的内容会留在这里。`,
    tools: (count) => (count === 0 ? '不用工具' : `${count} 个工具`),
  },
  units: { milliseconds: (count) => `${count} 毫秒`, seconds: (count) => `${count} 秒` },
  model: {
    places: { 'small-llama': '在本机 CPU 上', wllama: '在本机 CPU 上', 'web-llm': '在本机 GPU 上' },
    elsewhere: '在此标签页内',
    idle: '未启动',
    starting: '正在启动',
    loaded: (done, total) => `${done} / ${total}`,
    ready: '就绪',
    speed: (speed) => `${speed} 词元/秒`,
    failed: '启动失败',
    retry: '重试',
    switch: '切换模型',
    start: (model) => `启动 ${model}`,
    insteadOf: (model) => `代替 ${model}`,
    isStarting: (model, percent) =>
      percent === undefined ? `${model} 正在启动` : `${model} 正在启动：${percent}%`,
  },
  context: {
    name: '此聊天的剩余空间',
    value: (percent) => `已用 ${percent}%`,
  },
  framed: {
    text: 'Hearth 不在其他网页里运行：那里可能有东西遮住它向您提出的问题。',
    open: '在单独的标签页中打开 Hearth',
  },
};
