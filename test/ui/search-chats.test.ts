import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { SearchAnswer, SearchHit } from '../../src/contracts/search';
import { chatRecord } from '../support/stored-chat';
import { phone, show } from './show';
import { call, result, text, Told } from './told';
import { slow } from '../support/matrix';

const plain = (words: string) => [{ text: words, isMarked: false }];

function hit(id: string, changed: Partial<SearchHit> = {}): SearchHit {
  return {
    id,
    chatId: 'a',
    messageId: id,
    place: 'question',
    at: Date.UTC(2026, 0, 2),
    title: plain('Rent'),
    snippet: [...plain('Who pays the '), { text: 'rent', isMarked: true }],
    ...changed,
  };
}

const some: SearchAnswer = {
  hits: [
    hit('t', {
      place: 'title',
      messageId: undefined,
      title: [{ text: 'Rent', isMarked: true }],
      snippet: [],
    }),
    hit('q'),
    hit('r', { place: 'rest', snippet: plain('<b>rent</b>') }),
  ],
  hasMore: false,
};

const chats = [chatRecord('a', { title: 'Rent' }), chatRecord('b', { title: 'Tokyo' })];

async function showSearch(
  found: (query: string, most: number) => SearchAnswer = () => some,
  size?: typeof phone,
) {
  const shown = await show({ chats, found, ...(size && { size }) });
  const box = shown.screen.getByRole('searchbox', { name: 'Search chats' });
  const results = shown.screen.getByRole('list', { name: 'Results' });
  return { ...shown, box, results, links: results.getByRole('link') };
}

const focused = () => document.activeElement;

describe('the search through all chats', () => {
  test('results replace the chat list and show title, date and highlighted words', async () => {
    const { box, results, links, screen } = await showSearch();
    await box.fill('rent');
    await expect.element(results).toBeVisible();
    await expect.element(screen.getByRole('list', { name: 'Chats' })).not.toBeInTheDocument();
    expect(links.elements().map((link) => link.getAttribute('href'))).toEqual([
      '#/chat/a',
      '#/chat/a/q',
      '#/chat/a/r',
    ]);
    const [title, question, rest] = links.elements();
    expect(title?.querySelector('mark')?.textContent).toBe('Rent');
    expect(question?.textContent).toContain('Jan 2, 2026');
    expect(question?.querySelector('mark')?.textContent).toBe('rent');
    // Words of a chat are never markup.
    expect(rest?.textContent).toContain('<b>rent</b>');
    await expect.element(screen.getByRole('status').filter({ hasText: '3 results' })).toBeInTheDocument();
    await box.fill('');
    await expect.element(screen.getByRole('list', { name: 'Chats' })).toBeVisible();
  });

  test('after fast typing, the last search is for the complete text', async () => {
    const { box, calls, links } = await showSearch();
    await userEvent.type(box, 'rent');
    await expect.element(links.first()).toBeVisible();
    const asked = calls.flatMap(([name, query]) => (name === 'find' ? [query] : []));
    expect(asked.at(-1)).toBe('rent');
    expect(calls.some(([name]) => name === 'warm')).toBe(true);
  });

  slow('a button below the results shows more', async () => {
    const { box, calls, screen } = await showSearch(() => ({ ...some, hasMore: true }));
    await box.fill('rent');
    await screen.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => calls.at(-1)).toEqual(['find', 'rent', 40]);
  });

  test('a message says that no chat contains the words', async () => {
    const { box, screen } = await showSearch(() => ({ hits: [], hasMore: false }));
    await box.fill('zebra');
    await expect.element(screen.getByText('No chat has these words.')).toBeVisible();
  });

  test('indexing progress is shown, and the search is repeated when indexing ends', async () => {
    const { box, screen, search } = await showSearch(() => ({ hits: [], hasMore: false }));
    search.progress = { done: 40, total: 100 };
    await box.fill('zebra');
    await expect.element(screen.getByText('40 % done')).toBeVisible();
    await expect.element(screen.getByText('Nothing found so far.')).toBeVisible();
    search.progress = undefined;
    await expect.element(screen.getByText('No chat has these words.')).toBeVisible();
  });

  slow.for([
    { fault: 'search-broken' as const, says: 'Your chats are whole' },
    { fault: 'storage-full' as const, says: 'no room left for the index' },
  ])('if the search index has an error, a button rebuilds it: $fault', async ({ fault, says }) => {
    const { box, screen, search, calls } = await showSearch();
    search.fault = fault;
    await box.fill('rent');
    await expect.element(screen.getByRole('alert')).toHaveTextContent(says);
    await screen.getByRole('button', { name: 'Build the index again' }).click();
    expect(calls.at(-1)).toEqual(['rebuild']);
  });

  test('a message explains that nothing can be found when chats are not stored', async () => {
    const { box, screen, search } = await showSearch();
    search.isNothingStored = true;
    await box.fill('rent');
    await expect.element(screen.getByText('this visit keeps nothing')).toBeVisible();
  });
});

describe('keyboard use of the chat search', () => {
  /** Waits for the shortcuts, which load shortly after the first screen. */
  const pressUntilFocused = (box: { query: () => Element | null }) =>
    expect
      .poll(async () => {
        await userEvent.keyboard('{Alt>}{Shift>}s{/Shift}{/Alt}');
        return box.query() !== null && document.activeElement === box.query();
      })
      .toBe(true);

  test('a shortcut opens the search box even if the chat list is hidden', async () => {
    const { box, screen } = await showSearch();
    await screen.getByRole('button', { name: 'Hide the list of chats' }).click();
    await pressUntilFocused(box);
  });

  test('the shortcut opens the chat list on a phone', async () => {
    const { box } = await showSearch(undefined, phone);
    await pressUntilFocused(box);
    await expect.element(box).toBeVisible();
  });

  slow('arrow keys move through the results, and Escape returns to the search box', async () => {
    const { box, links, screen } = await showSearch();
    await box.fill('rent');
    await expect.element(links.first()).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe(links.elements()[1]);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    await expect.element(box).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Escape}');
    await expect.element(box).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(box).toHaveValue('');
    await expect.element(screen.getByRole('list', { name: 'Chats' })).toBeVisible();
  });

  test('Enter in the search box opens the first result', async () => {
    const { box, links } = await showSearch();
    await box.fill('rent');
    await expect.element(links.first()).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => location.hash).toBe('#/chat/a');
  });
});

describe('a link to a message', () => {
  const long = () => {
    const told = new Told();
    for (let at = 0; at < 70; at++)
      told.you(`Question ${at}`).hearth([text(`Answer ${at}. `.repeat(30))], 'answered');
    return told.chat;
  };
  const isInView = (words: string) =>
    [...document.querySelectorAll('article')].some((article) => {
      const { top } = article.getBoundingClientRect();
      return article.textContent.includes(words) && top > 0 && top < innerHeight / 2;
    });

  slow.for([
    { part: 'a question', index: 8, words: 'Question 4' },
    { part: 'a reply', index: 9, words: 'Answer 4.' },
  ])('scrolls to a message far above the visible ones: $part', async ({ index, words }) => {
    const chat = long();
    const { app, screen } = await show(chat);
    await expect.element(screen.getByText('Question 69')).toBeVisible();
    const node = chat.nodes[index]!;
    location.hash = `#/chat/${node.chatId}/${node.id}`;
    await expect.poll(() => isInView(words)).toBe(true);
    expect(app.session?.leafId).toBe(chat.nodes.at(-1)?.id);
  });

  test('switches to the branch of the chat that contains the message', async () => {
    const told = new Told().you('Old question').hearth([text('Old answer')], 'answered');
    const { nodes, chats: records } = told.chat;
    const [asked] = nodes;
    const other = {
      ...asked!,
      id: 'other',
      createdAt: asked!.createdAt + 1,
      message: {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'Another question' }],
        origins: [{ door: 'typed' as const }],
      },
    };
    const { screen } = await show({ chats: records, nodes: [...nodes, other] });
    location.hash = `#/chat/${other.chatId}/other`;
    await expect.element(screen.getByText('Another question')).toBeVisible();
    location.hash = `#/chat/${other.chatId}/${nodes[1]!.id}`;
    await expect.element(screen.getByText('Old answer')).toBeVisible();
  });

  slow('expands the tool call that contains the found word and highlights the word', async () => {
    const told = new Told()
      .you('Work it out: okapi')
      .hearth(
        [
          { type: 'tool-call', id: 'c', name: 'calculator', arguments: { expression: 'okapi + 1' } },
          text('An okapi.'),
        ],
        'answered',
      );
    const { nodes, chats: records } = told.chat;
    const reply = nodes.find(({ message }) => message.role === 'assistant')!;
    const found = hit(reply.id, {
      chatId: reply.chatId,
      place: 'rest',
      snippet: [
        ...plain('calculator {"expression":"'),
        { text: 'okapi', isMarked: true },
        ...plain(' + 1"}'),
      ],
    });
    const answer = { hits: [found], hasMore: false };
    const { screen } = await show({ chats: records, nodes, found: () => answer });
    await screen.getByRole('searchbox', { name: 'Search chats' }).fill('okapi');
    await screen.getByRole('list', { name: 'Results' }).getByRole('link').click();
    await expect.element(screen.getByRole('figure', { name: 'Arguments' })).toBeVisible();
    const now = () => [...(CSS.highlights.get('found-now') ?? [])][0] as Range | undefined;
    await expect.poll(() => now()?.startContainer.textContent).toContain('okapi + 1');
  });

  slow('highlights the tool call if the found word is in the hidden part of its result', async () => {
    const cut = {
      ...result('c', 'fetch_page', 'The beginning.'),
      whole: {
        handle: 'r1',
        id: 'w',
        toolName: 'fetch_page',
        characters: 9000,
        given: [[0, 14]] as [number, number][],
      },
    };
    const told = new Told()
      .you('Read it')
      .hearth([call('other', 'calculator', { expression: '1' }), call('c', 'fetch_page', { url: 'a' })])
      .results(result('other', 'calculator', '1'), cut)
      .hearth([text('Read.')], 'answered');
    const { nodes, chats: records } = told.chat;
    const given = nodes.find(({ message }) => message.role === 'tool')!;
    const snippet = [...plain('by the '), { text: 'pelican', isMarked: true }];
    const found = hit(given.id, { chatId: given.chatId, place: 'rest', snippet });
    const { screen } = await show({
      chats: records,
      nodes,
      found: () => ({ hits: [found], hasMore: false }),
    });
    await screen.getByRole('searchbox', { name: 'Search chats' }).fill('pelican');
    await screen.getByRole('list', { name: 'Results' }).getByRole('link').click();
    const lit = () =>
      document.getAnimations().flatMap(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        return target?.closest('main') ? [target.getAttribute('aria-label') ?? target.tagName] : [];
      });
    await expect.poll(lit).toEqual([expect.stringMatching(/^fetch_page/)]);
  });

  slow('expands a long question that contains the found word', async () => {
    const told = new Told().you(`${'Line.\n'.repeat(40)}A pelican.`).hearth([text('Yes.')], 'answered');
    const { nodes, chats: records } = told.chat;
    const snippet = [...plain('A '), { text: 'pelican', isMarked: true }, ...plain('.')];
    const found = hit(nodes[0]!.id, { chatId: nodes[0]!.chatId, place: 'question', snippet });
    const { screen } = await show({
      chats: records,
      nodes,
      found: () => ({ hits: [found], hasMore: false }),
    });
    await screen.getByRole('searchbox', { name: 'Search chats' }).fill('pelican');
    await screen.getByRole('list', { name: 'Results' }).getByRole('link').click();
    await expect.element(screen.getByRole('button', { name: 'Show less' })).toBeVisible();
    await expect.poll(() => [...(CSS.highlights.get('found-now') ?? [])].map(String)).toEqual(['pelican']);
  });

  test('leaves the chat as it is if the message does not exist', async () => {
    const { screen, app } = await show(long());
    await expect.element(screen.getByText('Question 69')).toBeVisible();
    location.hash = `#/chat/${app.session!.id}/gone`;
    await expect.poll(() => app.route).toMatchObject({ messageId: 'gone' });
    await expect.element(screen.getByText('Question 69')).toBeVisible();
  });
});
