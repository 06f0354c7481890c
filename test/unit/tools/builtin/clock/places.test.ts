import { expect, test } from 'vitest';
import { placeIndex, placeTable, toPlaceKey } from '../../../../../src/tools/builtin/clock/places';

const entries = [...placeIndex.values()];

test('the table of places has at least 400 cities, each with an English and a Chinese name', () => {
  const cities = new Set(
    entries.filter(({ isArea }) => !isArea).map(({ name, area }) => `${name}, ${area.name}`),
  );
  expect(cities.size).toBeGreaterThanOrEqual(400);
  const names = new Map<string, string[]>();
  for (const [key, { name, area, isArea }] of placeIndex) {
    const place = `${isArea} ${area.name} ${name}`;
    names.set(place, [...(names.get(place) ?? []), key]);
  }
  for (const [place, keys] of names) {
    expect(
      keys.some((key) => /\p{Script=Han}/u.test(key)),
      place,
    ).toBe(true);
    expect(
      keys.some((key) => /[a-z]/.test(key)),
      place,
    ).toBe(true);
  }
});

test('the browser knows every time zone in the table of places', () => {
  for (const { zone } of entries) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow();
  }
});

test('no name occurs twice in the table of places', () => {
  const names = placeTable
    .trim()
    .split(/\n(?!;)/)
    .flatMap((line) => {
      const [area = '', ...groups] = line.split(/\s*;\s*/);
      return [area, ...groups.flatMap((group) => group.replace(/^\S+ /, '').split(', '))];
    })
    .flatMap((written) => written.split('|'));
  expect(names.map(toPlaceKey).filter((key, index, all) => all.indexOf(key) !== index)).toEqual([]);
  expect(placeIndex.size).toBe(names.length);
});
