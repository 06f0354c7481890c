/** Rows of a fixture as they are stored: JSON has no bytes, so those of a file stand in it as base64. */
type Row = Readonly<Record<string, unknown>>;

export function asStored(table: string, row: Row): Row {
  const { data } = row;
  if (table !== 'attachments' || typeof data !== 'string') return row;
  return { ...row, data: new Uint8Array(Buffer.from(data, 'base64')) };
}
