/** A table that is drawn, as CSV (RFC 4180). */

/**
 * A cell that begins like this is a formula to a spreadsheet, which would run it: it gets an apostrophe, by which one takes it for
 * text. Not so a number.
 */
const formula = /^[=@\t]|^[+-](?![\d.,\s]*%?$)/;

/** Lines end with CR and LF. */
export function writeCsv(table: Element): string {
  const rows = Array.from(table.querySelectorAll('tr'), (row) => Array.from(row.children, cellText));
  return rows.map((cells) => cells.map(writeCell).join(',')).join('\r\n');
}

/** Of a formula what was written, not what is drawn of it. */
function cellText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const math of copy.querySelectorAll('[data-math]')) {
    math.textContent = math.getAttribute('data-math');
  }
  for (const added of copy.querySelectorAll('[data-added]')) added.remove();
  return copy.textContent.trim();
}

function writeCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
