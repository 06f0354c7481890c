const words =
  /out of memory|\bOOM\b|OutOfMemory|allocation failed|cannot enlarge memory|could not allocate|failed to allocate|unable to allocate|bad_alloc|maximum memory size/i;

export function isOutOfMemory(said: string): boolean {
  return words.test(said);
}
