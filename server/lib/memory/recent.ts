// A map that holds so many entries at most: the one that was not asked for the longest gives way.
export class Recent<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key);
    if (value !== undefined) {
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: Key, value: Value): this {
    super.delete(key);
    super.set(key, value);
    for (const oldest of super.keys()) {
      if (this.size <= this.#most) break;
      super.delete(oldest);
    }
    return this;
  }
}
