// What happened in the year, before it becomes rows: leads come in, some are converted into companies, contacts and
// deals, the others are worked on or given up. Everything is drawn from fixed streams; only dates depend on `today`.
import type { lostReasons } from "../server/modules/crm/choices.ts";
import type { Calendar } from "./calendar.ts";
import type { Organization, Person } from "./invent.ts";
import type { Random } from "./random.ts";
import { groupOf, sellers } from "./staff.ts";
import type { Source } from "./vocabulary.ts";

export type LostReason = (typeof lostReasons)[number]["value"];

/** Mutable while the story is told: ids follow from the order of time, which is known at the end. */
interface Happening {
  id: number;
  readonly created: number;
  modified?: number;
  readonly author: number;
  readonly owner: number;
  readonly group: number;
  deleted?: boolean;
  /** The administrator has taken it over. */
  mine?: boolean;
}

export interface Company extends Happening {
  readonly organization: Organization;
  readonly source: Source;
  /** When it first bought something. */
  customerSince?: number;
  readonly isPartner: boolean;
}

export interface Contact extends Happening {
  readonly person: Person;
  readonly company: Company;
  readonly source: Source;
  readonly score: number;
  reportsTo?: Contact;
  referredBy?: Contact;
}

export type Stage = "qualification" | "needs_analysis" | "proposal" | "negotiation" | "won" | "lost";

export interface Deal extends Happening {
  readonly company: Company;
  readonly contact: Contact | undefined;
  readonly source: Source;
  readonly campaign: string | null;
  readonly type: string;
  readonly subType: string;
  readonly subject: string;
  readonly amount: number;
  readonly stage: Stage;
  readonly expectedClose: number;
  readonly closed: number | undefined;
  readonly lostReason: LostReason | undefined;
  readonly score: number;
}

export interface Lead extends Happening {
  readonly organization: Organization;
  readonly person: Person;
  readonly source: Source;
  readonly campaign: string | null;
  readonly score: number;
  readonly status: "new" | "contacted" | "qualified" | "converted" | "unqualified";
  readonly lastContacted: number | undefined;
  readonly lostReason: LostReason | undefined;
  company?: Company;
  contact?: Contact;
  deal?: Deal;
  referredBy?: Contact;
}

export interface Story {
  readonly calendar: Calendar;
  readonly companies: readonly Company[];
  readonly contacts: readonly Contact[];
  readonly deals: readonly Deal[];
  readonly leads: readonly Lead[];
}

export interface Counts {
  readonly leads: number;
  readonly people: number;
  readonly companies: number;
  readonly opportunities: number;
}

/** Who works on an organization's country, and the group that goes with it. */
export function assign(random: Random, { country }: Organization): { readonly owner: number; readonly group: number } {
  return {
    owner: random.weighted(sellers[country.region], ({ share }) => share).id,
    group: groupOf[country.region],
  };
}

export type Rating = "hot" | "warm" | "cold";
export const ratingOf = (score: number): Rating => (score >= 68 ? "hot" : score >= 42 ? "warm" : "cold");
