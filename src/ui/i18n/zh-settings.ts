/** What is said where settings are found, in Simplified Chinese. */
import type { enFindSettings } from './en-settings';

export const zhFindSettings: typeof enFindSettings = {
  label: '查找设置项',
  found: (parts) => `显示了 ${parts} 个部分。`,
  none: '没有设置项包含这些字。模型如何运行在“模型”页设置，工具能做什么在“工具”页设置。',
  groups: {
    general: '常规',
    asking: '提问与作答',
    web: '网络',
    privacy: '隐私',
    data: '你的数据',
  },
  also: {
    language: '界面语言 翻译 English',
    appearance: '主题 夜间模式 暗色 颜色 字体 字号 缩放 无障碍',
    rounds: '次数 上限 轮数 循环',
    answers: '确认 核对 幻觉 编造',
    dictation: '听写 口述 麦克风 语音 声音 说话 dictate',
    'web-search': '联网 上网 搜索引擎 API',
    proxy: '跨域 读取网页 联网',
    mirrors: '下载 加速 Hugging Face',
    permissions: '授权 权限 信任 撤销',
    addresses: '局域网 内网 本地服务器 localhost',
    requests: '日志 流量 跟踪 历史',
    backup: '备份 导出 导入 恢复 文件夹 加密 ChatGPT Open WebUI',
    storage: '磁盘 空间 配额 清除 重置',
    about: '版本 许可证 开源',
  },
  hints: {
    language: '指界面语言。你用什么语言提问，模型就用什么语言回答。',
    theme: '界面的颜色。“跟随系统”会随设备变化。',
    contrast: '选“高”时，文字、线条和图标在浅色和深色下都更醒目。',
    textSize: '对 Hearth 的所有内容有效，与浏览器的缩放叠加。',
    key: '只保存在本设备上，只发给这一个服务。',
    perMinute: '超出的搜索不会发送，并告诉模型要等多久。',
  },
};
