/**
 * Reads a request to keep a note or to find one: `Remember that my wifi is called Heron`, `我的笔记里关于停车写了什么？`. The note is what
 * the person wrote, to the letter.
 */
import { longestNote, recallName } from '../contracts/note-text';
import type { ToolSpec } from '../contracts/tool';
import type { PlainCall } from './read-request';

export interface NoteRequest {
  call: PlainCall;
  /** It can mean nothing else. Otherwise it is one only if there is such a note. */
  isCertain: boolean;
}

/** Of a request to find a note, characters. A longer message is about something. */
const longestQuestion = 120;

/** Every pattern below holds one of these; compiled, all of them take 160 kB in each tab. */
const anyWordOfNotes =
  /note|memo|remember|remind|recall|forget|bear in mind|jot|writ|wrote|tell|ask|say|[记写忘说]|告诉/iu;

export function readNoteRequest(request: string, tools: readonly ToolSpec[]): NoteRequest | undefined {
  if (!anyWordOfNotes.test(request)) return undefined;
  const isOn = (tool: string) => tools.some(({ name }) => name === tool);
  const text = request.trim();
  const note = isOn('remember') ? readNote(text) : undefined;
  if (note !== undefined) {
    return { call: { name: 'remember', arguments: { note } }, isCertain: true };
  }
  if (!isOn(recallName) || text.length > longestQuestion) return undefined;
  const named = readQuery(text, ofNotes);
  const query = named ?? readQuery(text, ofMemory);
  if (query === undefined) return undefined;
  return { call: { name: recallName, arguments: { query } }, isCertain: named !== undefined };
}

const politely =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|also|and|can you|could you|would you|will you|i want you to|i['’]d like you to|请你?|麻烦你?|帮我|帮忙|你?要|好的?|那么?)[\s,，:：!！]*)+/iu;
/** What is written down is what follows. */
const keeping = [
  /^(?:remember|don['’]?t forget|bear in mind) (?:that |this[:,] ?)(.+)$/isu,
  /^remember[:：]\s*(.+)$/isu,
  /^(?:note down|write down|jot down)(?: that |: ?| )(.+)$/isu,
  /^(?:make|take|keep|save|add) a (?:note|memo)(?: that | of |: ?)(.+)$/isu,
  /^(?:记住|记下来|记下|记一下|记录一下|写下来|记个?笔记|做个?笔记|别忘了|不要忘了)[：:，,\s]*(.+)$/su,
];
/** Without `that`, what follows must say something: `remember my name` does not. */
const keepingOwn = /^remember ((?:my|our|i|i['’]m|we|the)\b.+)$/isu;
const saysSomething =
  /\b(?:is|are|was|were|am|has|have|had|like|likes|love|hate|prefer|live|lives|work|works|need|needs|starts?|ends?|leaves?|opens?|closes?|costs?)\b|['’](?:s|m|re)\b|[:=]/iu;
const saysSomethingZh = /[是在叫有要为住爱用会对到放停开来去：:=\d]|喜欢|过敏|不|姓/u;
/** What these begin is no note: `记住了吗`, `记下来的东西`. */
const goesOn = /^(?:了|没|的|过|啊|吧|哦|么|吗)/u;

function readNote(text: string): string | undefined {
  const asked = text.replace(politely, '');
  const plain = keeping.flatMap((pattern) => pattern.exec(asked)?.[1] ?? [])[0];
  const own = keepingOwn.exec(asked)?.[1];
  const note = (plain ?? (own !== undefined && saysSomething.test(own) ? own : undefined))?.trim();
  // A question is none, nor is what goes on with one.
  if (note === undefined || note.length > longestNote || /[?？]/u.test(note)) return undefined;
  if (/^\p{Script=Han}/u.test(note)) {
    if (note.length < 4 || goesOn.test(note) || /[吗呢]$/u.test(note) || !saysSomethingZh.test(note)) {
      return undefined;
    }
  }
  return note.length < 3 ? undefined : note;
}

/** They name the notes. */
const ofNotes = [
  /^(?:search|check|look (?:in|through|up in)|look up|find in|see)(?: in)? my notes?(?: (?:for|about|on))? (.+)$/iu,
  /^(?:show|find|give|tell)(?: me)? my notes? (?:about|on|for|of) (.+)$/iu,
  /^what (?:do|does|did) my notes? say (?:about|on|of) (.+)$/iu,
  /^(?:do i have|have i|is there|are there)(?: got)?(?: a| any)? notes? (?:about|on|of|for) (.+)$/iu,
  /^what (?:is|do i have) in my notes? (?:about|on) (.+)$/iu,
  /^(?:查|搜|找|看|翻)(?:一下|一查|一找|一看|下|查|找|看|索)?我?的?(?:笔记|备忘录?)(?:里|中)?面?(?:有没有|有|关于|找)*(.+)$/u,
  /^(?:在|从)?我的(?:笔记|备忘录?)(?:里|中)?面?(?:有没有|有|关于|查|找|搜)*(.+)$/u,
];
/** They may mean what was said in the chat, or nothing that was ever said. */
const ofMemory = [
  /^what did i (?:tell|ask|say to) you (?:to remember |to note )?(?:about|of) (.+)$/iu,
  /^what (?:did i|have i|i) (?:note|noted|write|written|wrote)(?: down)?(?: about| on| of) (.+)$/iu,
  /^what (?:did|have) i asked? you to (?:remember|note)(?: down)? (?:about|of) (.+)$/iu,
  /^(?:what )?do you (?:still )?remember (?:about |of |what |where |when |who |which |how )?(.+)$/iu,
  /^remind me (?:of |what |where |when |who |which |how |about )(.+)$/iu,
  /^recall (.+)$/iu,
  /^我(?:之前|以前|上次|昨天)?(?:让你|叫你|请你)记(?:住|下|过|的|了)*(?:关于)?(.+)$/u,
  /^我(?:之前|以前|上次)?(?:跟你|和你|对你)?(?:说过|告诉过?你?)的?(?:关于)?(.+)$/u,
  /^你?还?记得(?:我)?(?:的|说过的|关于)?(.+)$/u,
];

function readQuery(text: string, patterns: readonly RegExp[]): string | undefined {
  const asked = text.replace(/[\s?？.。!！]+$/u, '').replace(politely, '');
  const query = patterns.flatMap((pattern) => pattern.exec(asked)?.[1] ?? [])[0];
  const words = query
    ?.replace(/(?:的(?:内容|事情?)|(?:都?[写记说]了)?(?:是|叫|有)?(?:什么|多少|哪里?|谁)|[吗呢吧])+$/u, '')
    .trim();
  return words === undefined || words === '' ? undefined : words;
}
