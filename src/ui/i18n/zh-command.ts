/** What is said where things are commanded, in Chinese. */
import type { CommandWords } from './en-command';

export const zhCommand: CommandWords = {
  followUps: {
    title: '接下来',
    goesOn: '这个回答结束后会自动继续。',
    waits: '等你决定：前一个回答没有完成。',
    elsewhere: '正在等另一个标签页里的回答。',
    count: (count) => `${count} 条追问在排队。`,
    files: (count) => `+ ${count} 个文件`,
    comesIn: '这一步结束后插入。',
    steer: '插话',
    steerOne: (place) => `插话：第 ${place} 条追问`,
    steerHint: '当前这一步结束后插入，模型再接着回答',
    askNow: '马上问',
    askNowOne: (place) => `马上问：第 ${place} 条追问`,
    askNowHint: '结束正在进行的回答，改问这一条',
    moveUp: (place) => `上移：第 ${place} 条追问`,
    change: (place) => `修改：第 ${place} 条追问`,
    remove: (place) => `移除：第 ${place} 条追问`,
    text: (place) => `第 ${place} 条追问的内容`,
    keep: '保留',
  },
};
