/** What stands for an array on the GPU: it carries the tokens that it was made of. */
export class Tensor {
  readonly shape: number[];
  readonly #check: () => void;
  tokens: readonly number[] = [];
  data: ArrayLike<number> = [];
  mask: ArrayLike<number> | undefined;
  /** Of a view: what it shows. */
  origin: Tensor = this;

  constructor(shape: number[], check: () => void) {
    this.shape = shape;
    this.#check = check;
  }

  view(shape: number[]): Tensor {
    const { tokens, data, origin } = this;
    return Object.assign(new Tensor(shape, this.#check), { tokens, data, origin });
  }

  copyFrom(from: Tensor | ArrayLike<number>): this {
    this.#check();
    this.data = from instanceof Tensor ? from.data : from;
    return this;
  }

  toArray(): ArrayLike<number> {
    this.#check();
    return this.data;
  }

  dispose(): void {
    // Nothing of it is on a GPU.
  }
}
