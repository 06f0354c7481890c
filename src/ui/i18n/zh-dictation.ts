/** 关于听写的文字。 */
import type { enDictation } from './en-dictation';

export const zhDictation: typeof enDictation = {
  label: '听写',
  title: '语音输入',
  hint: '用说话代替打字（再按一次或按 Esc 结束）',
  starting: '正在请求使用麦克风……',
  listening: (language) => `正在听：${language}。`,
  ending: '正在写下最后几个词……',
  ended: '已停止聆听。',
  here: '声音不会离开本设备。',
  goesTo: (maker) => `声音会传给${maker}。`,
  makers: {
    google: ' Google',
    microsoft: '微软',
    apple: '苹果',
    unknown: '这个浏览器的开发者',
  },
  leave: (language, maker) =>
    `这个浏览器不保证在本设备上识别${language}：它可能会把麦克风听到的声音传给${maker}。你的对话内容不会一同传出，Hearth 也不会得到声音。可以吗？`,
  agree: '可以传过去',
  notNow: '还是不要',
  pack: (language) =>
    `浏览器可以为${language}下载一个语言包，只需一次。之后就在本设备上识别，声音不会离开本设备。`,
  fetchPack: '获取语言包',
  withoutPack: '不用语言包',
  fetching: '浏览器正在获取语言包。可能要几分钟，你可以继续打字。',
  fetched: '语言包已就绪。再按一次麦克风即可说话。',
  troubles: {
    denied: '浏览器不让 Hearth 使用麦克风。请在地址旁的网站设置里允许，然后再按一次麦克风。',
    'no-microphone': '没有找到麦克风。请连接一个，或在浏览器设置里选择一个，然后再按一次麦克风。',
    'nothing-heard': '什么也没有听到。请确认用的是正确的麦克风，然后再按一次麦克风。',
    unreachable: '无法连接语音识别服务。请检查网络，然后再按一次麦克风，或者打字。',
    'no-language': '浏览器不能识别这种语言。请在旁边另选一种，或者打字。',
    'not-allowed': '浏览器或其管理者不允许在这里识别语音。请打字，或用其他浏览器打开 Hearth。',
    taken: '浏览器结束了聆听，可能是另一个页面正在使用。请再按一次麦克风。',
    'no-pack': '浏览器没能获取语言包。请检查网络和设备的剩余空间后重试，或另选一种语言。',
    broken: '浏览器无法开始聆听。请重新加载页面，然后再按麦克风。',
  },
  language: '听写用语',
  settings: {
    languageHint: '听写消息时你说的语言。不同地区的口音有差别。',
    ofScreen: (language) => `与界面相同：${language}`,
    leave: (maker) => `声音可以传给${maker}`,
    leaveHint: '只在你听写时，并且只在浏览器不能在本设备上识别这种语言时才会传出。关闭后会先问你。',
    none: '这个浏览器不能识别语音，所以消息框旁没有麦克风。Chrome、Edge 和 Safari 可以。',
  },
};
