/** Named character references (`&eacute;`), without the parser of the browser: that would take an HTML string. */

/** From U+00A0 on, one name a character. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

/** From U+0391 and from U+03B1 on. */
const greek = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho';
const greekRest = 'sigma tau upsilon phi chi psi omega';

const others =
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

const characters = new Map<string, string>([
  ...from(0xa0, latin),
  ...from(0x3b1, greek),
  ...from(0x3c3, greekRest),
  ...from(0x391, capitals(greek)),
  ...from(0x3a3, capitals(greekRest)),
  ...others.split(' ').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
]);

/** Puts the character in place of each reference whose name is in HTML 4; others stay as they were written. */
export function decodeNames(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&([A-Za-z][A-Za-z0-9]{1,9});/g,
    (written, name: string) => characters.get(name) ?? written,
  );
}

/** Also numeric references, which marked resolves in text but not in the addresses of links. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g,
    (written, ...found) => {
      const [decimal, hexadecimal, name] = found as (string | undefined)[];
      if (name !== undefined) return characters.get(name) ?? written;
      const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}

function from(start: number, names: string): [string, string][] {
  return names.split(' ').map((name, index) => [name, String.fromCodePoint(start + index)]);
}

function capitals(names: string): string {
  return names.replace(/\b\w/g, (letter) => letter.toUpperCase());
}
