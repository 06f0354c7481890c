/** Builds DOM nodes from Markdown tokens. Raw HTML and forbidden links become plain text, and no node loads anything. */
import type { Token, Tokens } from 'marked';
import { createElement } from './create-element';
import { asReplyTokens, type ReplyToken } from './dialect';
import { buildFootnoteLabel } from './footnotes';
import type { MathToken } from './math/math-source';
import { buildHostLabel, isMisleading, readLink } from './safe-link';

/** Fills an element with a block's inline content. The renderer implements this, because it knows link definitions. */
export type FillInline = (element: HTMLElement, content: Token[]) => void;

/** Lines of code per text node. An added line makes the browser lay out its whole text node again. */
export const linesPerTextNode = 64;
/** Measuring every cell is slow, so a table with more rows gets columns of equal width. */
const maxMeasuredRows = 50;

export function buildBlock(token: ReplyToken, fill: FillInline): HTMLElement | undefined {
  switch (token.type) {
    case 'paragraph':
      return buildFilledElement('p', token.tokens, fill);
    // Each list item gets a paragraph. A list that becomes loose (with gaps) then only changes its class.
    case 'text':
      return buildFilledElement('p', token.tokens ?? [], fill);
    case 'heading':
      return buildFilledElement(`h${Math.min(6, token.depth) as 1 | 2 | 3 | 4 | 5 | 6}`, token.tokens, fill);
    case 'code':
      return buildCodeBlock(token);
    case 'blockquote': {
      const quote = document.createElement('blockquote');
      quote.append(...buildBlocks(token.tokens, fill));
      return quote;
    }
    case 'list': {
      const list = buildList(token);
      list.append(...token.items.map((item) => buildListItem(item, fill)));
      return list;
    }
    case 'table': {
      const { frame, head, body } = buildTable();
      head.append(buildRow('th', token.header, fill));
      body.append(...token.rows.map((row) => buildRow('td', row, fill)));
      setRowCount(frame, token.rows.length);
      return frame;
    }
    case 'hr':
      return document.createElement('hr');
    case 'html':
      return createElement('p', { className: 'verbatim', textContent: token.raw.trimEnd() });
    case 'math':
      return buildFormula('div', token);
    case 'space':
    case 'def':
    case 'list_item':
    case 'checkbox':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'note':
    case 'strong':
      return undefined;
  }
}

function buildBlocks(tokens: Token[], fill: FillInline): HTMLElement[] {
  return asReplyTokens(tokens).flatMap((token) => buildBlock(token, fill) ?? []);
}

export function buildList(token: Tokens.List): HTMLElement {
  const list = document.createElement(token.ordered ? 'ol' : 'ul');
  if (list instanceof HTMLOListElement && typeof token.start === 'number' && token.start !== 1) {
    list.start = token.start;
  }
  setListLoose(list, token.loose);
  return list;
}

export function setListLoose(list: HTMLElement, isLoose: boolean): void {
  if (isLoose === list.classList.contains('loose')) return;
  if (isLoose) list.className = 'loose';
  else list.removeAttribute('class');
}

export function buildListItem(item: Tokens.ListItem, fill: FillInline): HTMLElement {
  const element = document.createElement('li');
  const [first, ...rest] = asReplyTokens(item.tokens).filter(({ type }) => type !== 'checkbox');
  if (item.task && first && (first.type === 'text' || first.type === 'paragraph')) {
    element.className = 'task';
    element.append(buildTask(first.tokens ?? [], item.checked === true, fill), ...buildBlocks(rest, fill));
  } else {
    element.append(...buildBlocks(item.tokens, fill));
  }
  return element;
}

function buildTask(content: Token[], isDone: boolean, fill: FillInline): HTMLElement {
  const label = document.createElement('label');
  const box = createElement('input', { type: 'checkbox', disabled: true });
  box.toggleAttribute('checked', isDone);
  label.append(box, buildFilledElement('span', content, fill));
  return label;
}

export function buildTable(): { frame: HTMLElement; head: HTMLElement; body: HTMLElement } {
  const frame = document.createElement('div');
  const table = document.createElement('table');
  const head = document.createElement('thead');
  const body = document.createElement('tbody');
  table.append(head, body);
  frame.append(table);
  return { frame, head, body };
}

export function setRowCount(frame: HTMLElement, rows: number): void {
  const name = rows > maxMeasuredRows ? 'table fixed' : 'table';
  if (frame.className !== name) frame.className = name;
}

export function buildRow(tag: 'th' | 'td', cells: Tokens.TableCell[], fill: FillInline): HTMLElement {
  const row = document.createElement('tr');
  for (const { tokens, align } of cells) {
    const cell = buildFilledElement(tag, tokens, fill);
    if (align) cell.dataset['align'] = align;
    row.append(cell);
  }
  return row;
}

function buildCodeBlock(token: Tokens.Code): HTMLElement {
  const block = document.createElement('pre');
  const code = document.createElement('code');
  const language = /^[\w+#.-]{1,32}/.exec(token.lang ?? '')?.[0];
  if (language !== undefined) code.className = `language-${language}`;
  block.append(code);
  const lines = token.text.replace(/\n$/, '').split('\n');
  for (let at = 0; at < lines.length; at += linesPerTextNode) {
    const text = lines.slice(at, at + linesPerTextNode).join('\n');
    const end = at + linesPerTextNode < lines.length ? '\n' : '';
    if (text + end !== '') code.append(text + end);
  }
  return block;
}

function buildFilledElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  content: Token[],
  fill: FillInline,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, content);
  return element;
}

/** Appends inline content to `parent`. Inside a link, nested links become spans. */
export function appendInline(parent: HTMLElement, tokens: ReplyToken[], isInLink = false): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'text':
        appendText(parent, decodeNamedReferences(token.text));
        break;
      case 'escape':
        appendText(parent, token.text);
        break;
      case 'strong':
      case 'em':
      case 'del': {
        const element = document.createElement(token.type);
        appendInline(element, asReplyTokens(token.tokens), isInLink);
        parent.append(element);
        break;
      }
      case 'codespan':
        parent.append(createElement('code', { textContent: token.text }));
        break;
      case 'br':
        parent.append(document.createElement('br'));
        break;
      case 'link':
        appendLink(parent, token, isInLink);
        break;
      case 'image':
        appendImage(parent, token, isInLink);
        break;
      case 'math':
        parent.append(buildFormula('span', token));
        break;
      case 'note':
        parent.append(buildFootnoteLabel(token));
        break;
      case 'checkbox':
        break;
      case 'html':
      case 'blockquote':
      case 'code':
      case 'def':
      case 'heading':
      case 'hr':
      case 'list_item':
      case 'list':
      case 'paragraph':
      case 'space':
      case 'table':
        appendText(parent, token.raw);
    }
  }
}

function appendLink(parent: HTMLElement, token: Tokens.Link, isInLink: boolean): void {
  const link = readLink(token.autolink ? token.href : decodeCharacterReferences(token.href));
  if (!link) {
    appendText(parent, token.raw);
    return;
  }
  const element = isInLink ? document.createElement('span') : buildAnchor(link.href);
  // An autolink shows its address, in which `&copy` is not a character reference. So append the text literally.
  if (token.autolink) element.append(token.text);
  else appendInline(element, asReplyTokens(token.tokens), true);
  const label = element.textContent;
  if (isMisleading(label, link)) element.append(buildHostLabel(` (${link.host})`));
  if (token.title) element.title = `${decodeCharacterReferences(token.title)}\n${link.href}`;
  else if (label !== link.href) element.title = link.href;
  parent.append(element);
}

/** Matches pictures in data URLs, but not SVG, which may contain scripts. */
const pictureDataPattern = /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/-]+=*$/i;

/** Appends a link instead of the picture. Loading the picture would tell its server who sees it and when. */
function appendImage(parent: HTMLElement, token: Tokens.Image, isInLink: boolean): void {
  const isData = pictureDataPattern.test(token.href);
  const link = isData ? undefined : readLink(decodeCharacterReferences(token.href));
  if (!isData && !link) {
    appendText(parent, token.raw);
    return;
  }
  const element = link && !isInLink ? buildAnchor(link.href) : document.createElement('span');
  element.className = 'image';
  const description = document.createElement('span');
  appendInline(description, asReplyTokens(token.tokens), true);
  const text = description.textContent;
  if (link) {
    element.title = link.href;
    if (text !== '') appendText(element, `${text} `);
    element.append(buildHostLabel(`(${link.host})`));
  } else appendText(element, text);
  if (!link || /^https?:/.test(link.href)) element.dataset['picture'] = link?.href ?? token.href;
  parent.append(element);
}

function buildAnchor(href: string): HTMLAnchorElement {
  return createElement('a', { href, rel: 'noopener noreferrer nofollow', target: '_blank' });
}

function appendText(parent: HTMLElement, text: string): void {
  if (text === '') return;
  if (parent.lastChild instanceof Text) parent.lastChild.appendData(text);
  else parent.append(text);
}

/** Shows the TeX source until we draw the formula. Invalid TeX stays visible. */
function buildFormula(tag: 'div' | 'span', { raw, text, isDisplay }: MathToken): HTMLElement {
  const className = isDisplay ? 'math display' : 'math';
  const element = createElement(tag, { className, textContent: raw.trim() });
  element.dataset['math'] = text;
  return element;
}

/** Replaces the named character references of HTML 4, such as `&eacute;`. Leaves others unchanged. */
export function decodeNamedReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&([A-Za-z][A-Za-z0-9]{1,9});/g,
    (written, name: string) => charactersByName.get(name) ?? written,
  );
}

/** Replaces named and numeric references. marked does not replace numeric ones in link addresses. */
export function decodeCharacterReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g,
    (written, ...found) => {
      const [decimal, hexadecimal, name] = found as (string | undefined)[];
      if (name !== undefined) return charactersByName.get(name) ?? written;
      const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}

/** The names of the characters from U+00A0 on, in order. We list them because we never parse a reply as HTML. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

/** The names of the letters from U+03B1 on, in order. Capitalised, they name the letters from U+0391 on. */
const greekNames = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho';
const greekNamesFromSigma = 'sigma tau upsilon phi chi psi omega';

const otherReferenceNames =
  'quot=" amp=& apos=\' lt=< gt=> OElig=Œ oelig=œ Scaron=Š scaron=š Yuml=Ÿ fnof=ƒ circ=ˆ tilde=˜ ensp=\u2002 ' +
  'emsp=\u2003 thinsp=\u2009 zwnj=\u200C zwj=\u200D lrm=\u200E rlm=\u200F ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ' +
  'ldquo=“ rdquo=” bdquo=„ dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′ Prime=″ lsaquo=‹ rsaquo=› oline=‾ ' +
  'frasl=⁄ euro=€ image=ℑ weierp=℘ real=ℜ trade=™ alefsym=ℵ larr=← uarr=↑ rarr=→ darr=↓ harr=↔ crarr=↵ lArr=⇐ ' +
  'uArr=⇑ rArr=⇒ dArr=⇓ hArr=⇔ forall=∀ part=∂ exist=∃ empty=∅ nabla=∇ isin=∈ notin=∉ ni=∋ prod=∏ sum=∑ minus=− ' +
  'lowast=∗ radic=√ prop=∝ infin=∞ ang=∠ and=∧ or=∨ cap=∩ cup=∪ int=∫ there4=∴ sim=∼ cong=≅ asymp=≈ ne=≠ ' +
  'equiv=≡ le=≤ ge=≥ sub=⊂ sup=⊃ nsub=⊄ sube=⊆ supe=⊇ oplus=⊕ otimes=⊗ perp=⊥ sdot=⋅ lceil=⌈ rceil=⌉ lfloor=⌊ ' +
  'rfloor=⌋ lang=⟨ rang=⟩ loz=◊ spades=♠ clubs=♣ hearts=♥ diams=♦ thetasym=ϑ upsih=ϒ piv=ϖ sigmaf=ς check=✓ ' +
  'cross=✗ star=☆ starf=★ phone=☎ num=# dollar=$ percnt=% lpar=( rpar=) ast=* plus=+ comma=, period=. sol=/ ' +
  'colon=: semi=; equals== quest=? commat=@ lsqb=[ lbrack=[ bsol=\\ rsqb=] rbrack=] Hat=^ lowbar=_ grave=` ' +
  'lcub={ lbrace={ verbar=| vert=| rcub=} rbrace=} excl=! Tab=\t NewLine=\n';

const charactersByName = new Map<string, string>([
  ...listNamedCharacters(0xa0, latin1Names),
  ...listNamedCharacters(0x3b1, greekNames),
  ...listNamedCharacters(0x3c3, greekNamesFromSigma),
  ...listNamedCharacters(0x391, capitalize(greekNames)),
  ...listNamedCharacters(0x3a3, capitalize(greekNamesFromSigma)),
  ...otherReferenceNames.split(' ').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
]);

function listNamedCharacters(start: number, names: string): [string, string][] {
  return names.split(' ').map((name, index) => [name, String.fromCodePoint(start + index)]);
}

function capitalize(names: string): string {
  return names.replace(/\b\w/g, (letter) => letter.toUpperCase());
}
