// What a field of a new record takes over from a record that the new one names: `order.currency_id`, once compiled.

export interface StartsFrom {
  /** The reference of the new record. */
  readonly via: string;
  /** The record type that it names. */
  readonly target: string;
  /** Its field. */
  readonly field: string;
}
