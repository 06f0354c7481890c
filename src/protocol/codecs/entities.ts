/** The five characters that XML writes as entities. */
const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
]);

export function withoutEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => entities.get(name) ?? entity);
}
