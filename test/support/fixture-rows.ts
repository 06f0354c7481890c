/** Restores fixture rows to their stored form: JSON cannot contain bytes, so a fixture has a file's bytes as base64. */
type Row = Readonly<Record<string, unknown>>;

export function asStored(table: string, row: Row): Row {
  const { data } = row;
  if (table !== 'attachments' || typeof data !== 'string') return row;
  return { ...row, data: new Uint8Array(Buffer.from(data, 'base64')) };
}
