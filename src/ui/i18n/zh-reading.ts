/** What is said where replies are read, in Simplified Chinese. */
import type { enReading } from './en-reading';

export const zhReading: typeof enReading = {
  blocks: {
    copy: '复制代码',
    failed: '未能复制',
    wrap: '自动换行',
    lines: (count) => `${count} 行`,
    rows: (count) => `${count} 行`,
    csv: 'CSV',
    copyCsv: '把这个表格复制成 CSV，可贴进电子表格',
    code: '代码',
    formula: '公式',
    table: '表格',
    note: (label) => `脚注 ${label}`,
    noteBack: (label) => `回到脚注 ${label} 的出处`,
  },
  aloud: {
    open: '朗读',
    label: '朗读这条回复',
    voice: '语音',
    start: '开始读',
    hold: '先停一下',
    goOn: '接着读',
    end: '不读了',
    elsewhere: '，不在本设备上',
    noneHere: '本设备上没有语音。其余语音由浏览器的厂商提供：这条回复会发给它，由它读出来。',
    useElsewhere: '使用这样的语音',
    none: '这个浏览器没有语音。请在系统的语音设置里添加一个，然后刷新页面。',
    formula: '公式',
    codeLeftOut: (lines) => `代码共 ${lines} 行，不读。`,
  },
};
