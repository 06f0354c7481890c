import { expect, test } from 'vitest';
import type { ModelCard } from '../../src/contracts/model-library';
import { emberCard, modelCard } from './model-cards';
import { show } from './show';
import { slow } from '../support/matrix';

const name = 'Browser model';
const cardIn = (brought: NonNullable<ModelCard['brought']>): ModelCard =>
  modelCard('browser-model', {
    name,
    engine: 'browser-model',
    place: 'browser',
    origin: 'browser',
    bytes: 0,
    brought,
    licence: '',
    kept: { isWhole: brought === 'here', bytes: 0 },
  });

async function open(brought: NonNullable<ModelCard['brought']>) {
  const staged = await show({ shelf: { cards: [emberCard, cardIn(brought)], diagnosis: [] } });
  location.hash = '#/models';
  const article = staged.screen.getByRole('article', { name: 'browser-model', exact: true });
  await expect.element(article).toBeVisible();
  const buttons = () =>
    article
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent.trim());
  return { ...staged, article, buttons };
}

test('the only button of a browser model that is not downloaded is "Download"', async () => {
  const { article, buttons, calls, screen } = await open('can-come');
  const others = screen.getByRole('region', { name: 'Others that run here' });
  await expect.element(others.getByRole('article', { name: 'browser-model' })).toBeVisible();
  await expect.element(article).toHaveTextContent('It begins when you press “Download”.');
  expect(buttons()).toEqual(['Download']);
  await article.getByRole('button').click();
  expect(calls).toContainEqual(['download', 'browser-model']);
});

slow('a browser model that is being downloaded shows its progress, which can be hidden', async () => {
  const { app, article, buttons, calls } = await open('coming');
  expect(buttons()).toEqual(['Show progress']);
  app.models.setDownload('browser-model', { type: 'by-browser', share: 0 });
  await expect.element(article).toHaveTextContent('The browser begins the download');
  app.models.setDownload('browser-model', { type: 'by-browser', share: 0.335 });
  await expect.element(article.getByRole('status')).toHaveTextContent('The browser is downloading it: 33 %');
  await expect.element(article.getByRole('progressbar')).toHaveAttribute('value', '0.335');
  await expect.element(article).toHaveTextContent('may go on in the browser');
  expect(buttons()).toEqual(['Stop watching']);
  await article.getByRole('button').click();
  expect(calls).toContainEqual(['pause', 'browser-model']);
});

slow(
  'a downloaded browser model can be used and tested, and shows its context size once it runs',
  async () => {
    const { app, article, buttons } = await open('here');
    await expect.poll(buttons).toEqual(['Use', 'Test this model']);
    await expect.element(article).toHaveTextContent('the browser says when it has started');
    app.model.running = { id: 'browser-model', phase: { type: 'ready', contextTokens: 9216 } };
    await expect.element(article).toHaveTextContent('Reads 9,216 tokens at once.');
    // The context size is still shown when another model runs.
    app.model.running = { id: 'ember', phase: { type: 'ready' } };
    await expect.element(article).toHaveTextContent('Reads 9,216 tokens at once.');
  },
);

test('a failed download of the browser model shows the reason and the next step', async () => {
  const { app, article, buttons } = await open('can-come');
  app.models.setDownload('browser-model', {
    type: 'browser-failed',
    code: 'browser-model-refused',
    detail: 'A press is needed.',
  });
  await expect
    .element(article.getByRole('alert'))
    .toHaveTextContent(/does not let this page use Browser model.*A press is needed\..*Press again/);
  expect(buttons()).toEqual(['Download']);
});

test('the browser model is named in the display language', async () => {
  const { app, article, screen } = await open('here');
  await expect.element(article.getByRole('heading', { name })).toBeVisible();
  app.settings = { ...app.settings, language: 'zh' };
  await expect.element(article.getByRole('heading', { name: '浏览器自带的模型' })).toBeVisible();
  await expect.element(screen.getByText(name, { exact: true })).not.toBeInTheDocument();
});
