/** A colour in its notations, and whether text on it can be read. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const color: CustomToolContent = {
  ...plain,
  name: 'color',
  title: 'Colour',
  description:
    'Converts a colour between hex, RGB and HSL, and tells the contrast to another colour by WCAG. Use it for questions about colours and contrast.',
  keywords: {
    en: ['color', 'hex', 'rgb', 'hsl', 'contrast', 'readable', 'shade'],
    zh: ['颜色', '色值', '配色', '对比度', '看得清'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      color: {
        type: 'string',
        maxLength: 40,
        description: 'Such as #ff8800, rgb(255, 136, 0), hsl(32, 100%, 50%)',
      },
      against: { type: 'string', maxLength: 40, description: 'Another colour, for the contrast' },
    },
    required: ['color'],
  },
  code: String.raw`const named = { black: '#000000', white: '#ffffff', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00', orange: '#ffa500', purple: '#800080', gray: '#808080', grey: '#808080', cyan: '#00ffff', magenta: '#ff00ff', pink: '#ffc0cb', brown: '#a52a2a' };
function read(written) {
  const lower = written.trim().toLowerCase();
  const text = Object.hasOwn(named, lower) ? named[lower] : lower;
  const hex = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(text);
  if (hex) {
    const whole = hex[1].length === 3 ? [...hex[1]].map((digit) => digit + digit).join('') : hex[1];
    return [0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16));
  }
  const numbers = (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  if (/^rgb/.test(text) && numbers.length >= 3) return numbers.slice(0, 3).map((value) => Math.min(255, Math.max(0, Math.round(value))));
  if (/^hsl/.test(text) && numbers.length >= 3) {
    const [h, s, l] = [((numbers[0] % 360) + 360) % 360, Math.min(100, Math.max(0, numbers[1])) / 100, Math.min(100, Math.max(0, numbers[2])) / 100];
    const f = (n) => { const k = (n + h / 30) % 12; return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)); };
    return [0, 8, 4].map((n) => Math.round(f(n) * 255));
  }
  throw new Error('"' + written + '" is no colour. Write #ff8800, rgb(255, 136, 0), hsl(32, 100%, 50%) or a plain name.');
}
function toHsl([r, g, b]) {
  const [x, y, z] = [r / 255, g / 255, b / 255];
  const [max, min] = [Math.max(x, y, z), Math.min(x, y, z)];
  const [l, d] = [(max + min) / 2, max - min];
  const s = d === 0 ? 0 : d / (1 - Math.abs(2 * l - 1));
  const h = d === 0 ? 0 : max === x ? ((y - z) / d + 6) % 6 : max === y ? (z - x) / d + 2 : (x - y) / d + 4;
  return 'hsl(' + Math.round(h * 60) + ', ' + Math.round(s * 100) + '%, ' + Math.round(l * 100) + '%)';
}
const light = (rgb) => rgb.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
const rgb = read(args.color);
const result = { hex: '#' + rgb.map((value) => value.toString(16).padStart(2, '0')).join(''), rgb: 'rgb(' + rgb.join(', ') + ')', hsl: toHsl(rgb) };
if (args.against === undefined) return result;
const [a, b] = [light(rgb), light(read(args.against))];
const contrast = Number(((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toFixed(2));
return { ...result, contrast, readable: contrast >= 4.5 ? 'yes, for any text (AA)' : contrast >= 3 ? 'only for large text' : 'no' };`,
  examples: [
    {
      request: 'Can I read #777 on white?',
      arguments: { color: '#777', against: 'white' },
      result:
        '{"hex":"#777777","rgb":"rgb(119, 119, 119)","hsl":"hsl(0, 0%, 47%)","contrast":4.48,"readable":"only for large text"}',
    },
    {
      request: '',
      arguments: { color: 'hsl(32, 100%, 50%)' },
      result: '{"hex":"#ff8800","rgb":"rgb(255, 136, 0)","hsl":"hsl(32, 100%, 50%)"}',
    },
  ],
};
