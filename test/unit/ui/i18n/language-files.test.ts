/** Every language says everything, and the tables of English have an entry for each case. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { compilePart, readLanguage } from '../../../../scripts/languages.js';
import type { AttachProblem } from '../../../../src/contracts/attachment';
import type { BackupPart, BackupSource, FolderTrouble } from '../../../../src/contracts/backup';
import type { BinKind, DeletableKind, StoredKind } from '../../../../src/contracts/store';
import type { ToolFileProblem } from '../../../../src/contracts/custom-tool';
import type { DownloadFailure, EgressFailure } from '../../../../src/contracts/egress';
import { type ErrorCode, errorCodes } from '../../../../src/contracts/error-code';
import type { TurnEnd } from '../../../../src/contracts/turn';
import type { ExamKind } from '../../../../src/contracts/exam';
import type { FieldProblem } from '../../../../src/contracts/form-fields';
import type { RemoteToolProblem, ServerProblem } from '../../../../src/contracts/mcp-server';
import type { AttachedFile } from '../../../../src/contracts/message';
import type { PrefillReason } from '../../../../src/contracts/model';
import type {
  ModelPlace,
  OwnModelProblem,
  BrowserModelState,
  Diagnosis,
  ModelFitReason,
  ModelCard,
  RecoveryStep,
} from '../../../../src/contracts/model-library';
import type { AskReason } from '../../../../src/contracts/permission';
import type { PersonaProblem, PersonaProblemCode } from '../../../../src/contracts/persona';
import type { SearchHit } from '../../../../src/contracts/search';
import type { ToolFailure } from '../../../../src/contracts/tool-failure';
import type { ListingReason, ToolSearchMode } from '../../../../src/contracts/tool';
import type { DeletionFailure } from '../../../../src/state/services';
import type { ActionNotice, Deletion } from '../../../../src/state/deletion';
import type { SignInResult } from '../../../../src/state/servers.svelte';
import type { ChatNotice } from '../../../../src/state/turn-recorder.svelte';
import type { CallStatus } from '../../../../src/state/turns';
import type { DictationTrouble } from '../../../../src/ui/chat/dictation/dictation.svelte';
import type { BrowserMaker } from '../../../../src/ui/chat/dictation/recognition';
import type { CommandGroup } from '../../../../src/ui/commands/choose';
import type { ActionName } from '../../../../src/ui/commands/keys';
import type { RestWords, ShellWords } from '../../../../src/ui/i18n/words';
import type { personaFieldNamesOf } from '../../../../src/ui/personas/persona-field-names';

const folder = new URL('../../../../src/ui/i18n/', import.meta.url);
const english = readLanguage('en');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe.for(names)('the language file %s', (name) => {
  const file = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
    code: string;
    messages: Record<string, unknown>;
  };
  const language = readLanguage(file.code);

  test('is named after its language and contains only texts', () => {
    expect(name).toBe(`${file.code}.json`);
    const about = name === 'en.json' ? ['parameters', 'lookups', 'notes'] : [];
    expect(Object.keys(file)).toEqual(['code', 'name', ...about, 'messages']);
    const others = Object.keys(file.messages).filter((key) => !/^(shell|rest)\./.test(key));
    expect(others).toEqual([]);
  });

  test.for(['shell', 'rest'] as const)('has the same keys and parameters as English: part "%s"', (part) => {
    expect(compilePart(part, language, english).problems).toEqual([]);
  });
});

test('every key that the notes in the English file mention exists', () => {
  const has = (path: string) =>
    path
      .replace(/\.\*$/, '')
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], english) !==
    undefined;
  const paths = [english.parameters, english.lookups, english.notes].flatMap((about) => Object.keys(about));
  expect(paths.filter((path) => !has(path))).toEqual([]);
});

test('the interface has exactly one text for each error code, call status and other listed value', () => {
  expectTypeOf<keyof ShellWords['model']['places']>().toEqualTypeOf<ModelPlace>();
  expectTypeOf<keyof RestWords['errors']>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<keyof RestWords['ends']>().toEqualTypeOf<Exclude<TurnEnd, 'answered'>>();
  expectTypeOf<keyof RestWords['statuses']>().toEqualTypeOf<CallStatus>();
  expectTypeOf<keyof RestWords['failures']>().toEqualTypeOf<ToolFailure>();
  expectTypeOf<keyof RestWords['chatNotices']>().toEqualTypeOf<ChatNotice>();
  expectTypeOf<keyof RestWords['approval']['reasons']>().toEqualTypeOf<AskReason>();
  expectTypeOf<keyof RestWords['recovery']['steps']>().toEqualTypeOf<RecoveryStep['rung']>();
  expectTypeOf<keyof RestWords['tools']['searchModes']>().toEqualTypeOf<ToolSearchMode>();
  expectTypeOf<keyof RestWords['tools']['reasons']>().toEqualTypeOf<ListingReason>();
  expectTypeOf<keyof RestWords['command']['palette']['groups']>().toEqualTypeOf<CommandGroup | 'said'>();
  expectTypeOf<keyof RestWords['command']['names']>().toEqualTypeOf<ActionName>();
  expectTypeOf<keyof RestWords['command']['also']>().toEqualTypeOf<ActionName>();
  expectTypeOf<keyof RestWords['dictation']['makers']>().toEqualTypeOf<BrowserMaker>();
  expectTypeOf<keyof RestWords['dictation']['troubles']>().toEqualTypeOf<DictationTrouble>();
  expectTypeOf<keyof RestWords['details']['prefillReasons']>().toEqualTypeOf<PrefillReason['code']>();
  expectTypeOf<keyof RestWords['chats']['bin']['kinds']>().toEqualTypeOf<BinKind>();
  expectTypeOf<keyof RestWords['chats']['actions']>().toEqualTypeOf<ActionNotice['type']>();
  expectTypeOf<keyof RestWords['chats']['deletion']['said']>().toEqualTypeOf<Deletion['kind']>();
  expectTypeOf<keyof RestWords['files']['kinds']>().toEqualTypeOf<AttachedFile['kind']>();
  expectTypeOf<keyof RestWords['files']['troubles']>().toEqualTypeOf<AttachProblem>();
  expectTypeOf<keyof RestWords['search']['places']>().toEqualTypeOf<Exclude<SearchHit['place'], 'title'>>();

  type Settings = RestWords['settings'];
  expectTypeOf<keyof Settings['requests']['failures']>().toEqualTypeOf<EgressFailure>();
  expectTypeOf<keyof Settings['parts']['names']>().toEqualTypeOf<StoredKind>();
  expectTypeOf<keyof Settings['parts']['titles']>().toEqualTypeOf<Exclude<DeletableKind, 'index'>>();
  expectTypeOf<keyof Settings['parts']['texts']>().toEqualTypeOf<Exclude<DeletableKind, 'index'>>();
  expectTypeOf<keyof Settings['notDeleted']>().toEqualTypeOf<DeletionFailure>();

  type Models = RestWords['models'];
  type Finding = Exclude<ModelFitReason['code'], 'software-gpu' | 'on-processor'>;
  expectTypeOf<keyof Models['failures']>().toEqualTypeOf<DownloadFailure>();
  expectTypeOf<keyof Models['findings']>().toEqualTypeOf<Finding>();
  expectTypeOf<keyof Models['verdicts']>().toEqualTypeOf<Exclude<ModelCard['verdict'], 'good'>>();
  expectTypeOf<keyof Models['add']['problems']>().toEqualTypeOf<OwnModelProblem>();
  expectTypeOf<keyof Models['diagnostics']['findings']>().toEqualTypeOf<Diagnosis['code']>();
  expectTypeOf<keyof RestWords['endpoints']['places']>().toEqualTypeOf<ModelPlace>();
  expectTypeOf<keyof RestWords['exam']['kinds']>().toEqualTypeOf<ExamKind>();
  expectTypeOf<keyof RestWords['browser']['states']>().toEqualTypeOf<BrowserModelState>();

  expectTypeOf<keyof ReturnType<typeof personaFieldNamesOf>>().toEqualTypeOf<PersonaProblem['field']>();
  type ForAllFiles = keyof RestWords['editorPage']['fileProblems'];
  type ForAllEditors = keyof RestWords['editorPage']['problemCodes'];
  expectTypeOf<ForAllFiles | keyof RestWords['personas']['fileProblems']>().toEqualTypeOf<ToolFileProblem>();
  expectTypeOf<
    ForAllEditors | keyof RestWords['personas']['problemCodes']
  >().toEqualTypeOf<PersonaProblemCode>();
  expectTypeOf<keyof RestWords['servers']['problems']>().toEqualTypeOf<ServerProblem>();
  expectTypeOf<keyof RestWords['servers']['verdicts']>().toEqualTypeOf<SignInResult['end']>();
  expectTypeOf<keyof RestWords['servers']['tools']['reasons']>().toEqualTypeOf<RemoteToolProblem>();
  expectTypeOf<keyof RestWords['servers']['question']['failures']>().toEqualTypeOf<FieldProblem>();
  expectTypeOf<keyof RestWords['backup']['parts']>().toEqualTypeOf<BackupPart>();
  expectTypeOf<keyof RestWords['backup']['sources']>().toEqualTypeOf<BackupSource>();
  expectTypeOf<keyof RestWords['backup']['unplaced']>().toEqualTypeOf<BackupSource>();
  expectTypeOf<keyof RestWords['backup']['folder']['troubles']>().toEqualTypeOf<FolderTrouble>();

  const { reasons } = (english.rest as unknown as RestWords).recovery;
  expect(errorCodes).toEqual(expect.arrayContaining(Object.keys(reasons)));
});
