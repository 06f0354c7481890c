/** Computes the value of a tree. */
import { ExpressionError } from './expression';
import { constants, functions, suffixes } from './functions';
import { add, divide, floor, modulo, multiply, negate, power, readNumber, type Value } from './numbers';
import type { Tree } from './parse';

const operations: ReadonlyMap<string, (left: Value, right: Value) => Value> = new Map([
  ['+', add],
  ['-', (left, right) => add(left, negate(right))],
  ['*', multiply],
  ['/', divide],
  ['//', (left, right) => floor(divide(left, right))],
  ['mod', modulo],
  ['^', power],
]);

/** Throws an `ExpressionError` that names the place of the operation that has no value. */
export function evaluate(tree: Tree): Value {
  try {
    return compute(tree);
  } catch (error) {
    if (error instanceof ExpressionError) error.at ??= tree.at;
    throw error;
  }
}

function compute(tree: Tree): Value {
  switch (tree.type) {
    case 'number':
      return readNumber(tree.text);
    case 'constant':
      return found(constants, tree.name);
    case 'function':
      return found(functions, tree.name).run(tree.of.map(evaluate));
    case 'suffix':
      return found(suffixes, tree.sign)(evaluate(tree.of));
    case 'negative':
      return negate(evaluate(tree.of));
    case 'operation': {
      const left = evaluate(tree.left);
      const right = evaluate(tree.right);
      const run = found(operations, tree.sign);
      // 80 + 10% is 88: ten percent of what it is added to.
      const isOfLeft = '+-'.includes(tree.sign) && isPercentage(tree.right) && !isPercentage(tree.left);
      return run(left, isOfLeft ? multiply(left, right) : right);
    }
  }
}

function isPercentage(tree: Tree): boolean {
  if (tree.type === 'suffix') return tree.sign === '%';
  const isSum = tree.type === 'operation' && '+-'.includes(tree.sign);
  return isSum && isPercentage(tree.left) && isPercentage(tree.right);
}

/** The parser lets through only what is known. */
function found<Item>(items: ReadonlyMap<string, Item>, name: string): Item {
  const item = items.get(name);
  if (item === undefined) throw new Error(`The calculator cannot compute "${name}".`);
  return item;
}
