import { parser as css } from '@lezer/css';
import { configureNesting, parser as html } from '@lezer/html';
import { parser as javascript } from '@lezer/javascript';

const nestedLanguages = configureNesting([
  { tag: 'script', parser: javascript },
  { tag: 'style', parser: css },
]);

export const parser = html.configure({ wrap: nestedLanguages });
