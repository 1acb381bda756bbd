// What a section of the benchmark gives: rows of figures, as they are kept in JSON and shown in RESULTS.md.
import type { Side, Spread } from "../load/figures.ts";

export interface Reference extends Side {
  /** What it is: "pgbench", "bare service". */
  readonly what: string;
}

/** The same beside so many writes per second in the same organization. */
export interface BesideWrites {
  readonly rate: number;
  readonly service: Side;
  /** Of the figure without writes. */
  readonly ofQuiet: Spread | undefined;
  /** The writes themselves; latencies from the time at which each was due. */
  readonly write: Side;
}

export interface ResultRow {
  readonly name: string;
  readonly caller: string;
  readonly service: Side;
  readonly reference?: Reference;
  /** The service's requests per second over the reference's, round by round. */
  readonly ratio?: Spread;
  readonly besideWrites: readonly BesideWrites[];
}

/** A figure that is not a rate. */
export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

export interface SectionResult {
  readonly section: string;
  readonly size: string;
  readonly rows: readonly ResultRow[];
  readonly facts: readonly Fact[];
  /** Said in words: what was left out, and why. */
  readonly notes: readonly string[];
  /** MiB of the service at its peak. */
  readonly memory?: number;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** GiB. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly pgbench: string;
}

export interface ResultFile extends SectionResult {
  readonly commit: string;
  readonly date: string;
  readonly machine: Machine;
  /** Processes that wanted to run, on average over a minute, before the section began: what else the machine was at. */
  readonly loadBefore: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly seed: number;
  /** What the load generator reaches against a constant body of the same size. */
  readonly ceiling?: { readonly bytes: number; readonly perSecond: number };
}
