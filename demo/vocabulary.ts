// The words that companies, jobs, deals and remarks of the demo are made of. Data only.
import type { industries, sources } from "../server/modules/crm/choices.ts";

export type Industry = (typeof industries)[number]["value"];
export type Source = (typeof sources)[number]["value"];

const list = (text: string): readonly string[] => text.split(",");

export interface IndustryProfile {
  readonly weight: number;
  /** How company names of the industry end. */
  readonly words: readonly string[];
  /** Median number of employees. */
  readonly employees: number;
  /** Revenue in EUR by employee. */
  readonly productivity: number;
  /** Size of its deals, next to the average. */
  readonly deals: number;
}

export const industryProfiles: Readonly<Record<Industry, IndustryProfile>> = {
  agriculture: {
    weight: 4,
    words: list("Agro,Farms,Seeds,Orchards"),
    employees: 70,
    productivity: 140_000,
    deals: 0.6,
  },
  automotive: {
    weight: 9,
    words: list("Automotive,Motors,Drivetrain,Components"),
    employees: 420,
    productivity: 210_000,
    deals: 1.5,
  },
  chemicals: {
    weight: 7,
    words: list("Chemicals,Polymers,Coatings,Reagents"),
    employees: 300,
    productivity: 320_000,
    deals: 1.6,
  },
  construction: {
    weight: 5,
    words: list("Construction,Civil Works,Building Systems,Concrete"),
    employees: 160,
    productivity: 150_000,
    deals: 0.8,
  },
  education: {
    weight: 4,
    words: list("Institute,Academy,Learning,College"),
    employees: 240,
    productivity: 70_000,
    deals: 0.5,
  },
  energy: { weight: 8, words: list("Energy,Power,Grid,Renewables"), employees: 380, productivity: 480_000, deals: 2.1 },
  finance: {
    weight: 3,
    words: list("Capital,Insurance,Leasing,Partners"),
    employees: 260,
    productivity: 300_000,
    deals: 0.7,
  },
  food: { weight: 8, words: list("Foods,Dairy,Brewing,Bakeries"), employees: 210, productivity: 190_000, deals: 0.9 },
  healthcare: {
    weight: 7,
    words: list("Medical,Diagnostics,Clinics,Care"),
    employees: 340,
    productivity: 120_000,
    deals: 1.1,
  },
  logistics: {
    weight: 6,
    words: list("Logistics,Freight,Cold Chain,Shipping"),
    employees: 230,
    productivity: 130_000,
    deals: 0.8,
  },
  manufacturing: {
    weight: 14,
    words: list("Precision,Machining,Tooling,Fabrication,Bearings"),
    employees: 190,
    productivity: 170_000,
    deals: 1.2,
  },
  pharmaceuticals: {
    weight: 7,
    words: list("Pharma,Biologics,Therapeutics,Life Sciences"),
    employees: 410,
    productivity: 390_000,
    deals: 2.0,
  },
  public_sector: {
    weight: 4,
    words: list("Water Authority,Metrology Office,Utilities,Environment Agency"),
    employees: 520,
    productivity: 90_000,
    deals: 1.3,
  },
  retail: { weight: 4, words: list("Stores,Trading,Market,Retail"), employees: 180, productivity: 200_000, deals: 0.5 },
  technology: {
    weight: 7,
    words: list("Robotics,Software,Photonics,Semiconductors,Labs"),
    employees: 120,
    productivity: 220_000,
    deals: 1.0,
  },
  telecommunications: {
    weight: 3,
    words: list("Telecom,Networks,Broadband,Mobile"),
    employees: 350,
    productivity: 310_000,
    deals: 1.1,
  },
};

export interface SourceProfile {
  readonly weight: number;
  /** The part of its leads that becomes a customer's first deal, at an average score. */
  readonly conversion: number;
  /** Mean lead score. */
  readonly score: number;
  readonly campaigns: readonly string[];
  readonly type: string;
  readonly subTypes: readonly string[];
}

export const sourceProfiles: Readonly<Record<Source, SourceProfile>> = {
  web: {
    weight: 28,
    conversion: 0.13,
    score: 50,
    campaigns: [],
    type: "Inbound",
    subTypes: list("Web form,Content download,Demo request"),
  },
  referral: {
    weight: 8,
    conversion: 0.27,
    score: 66,
    campaigns: list("Customers bring customers"),
    type: "Partner",
    subTypes: list("Referral"),
  },
  event: {
    weight: 12,
    conversion: 0.15,
    score: 55,
    campaigns: list("SensorDays,Measure & Control Expo,Labor Forum"),
    type: "Inbound",
    subTypes: list("Event visitor"),
  },
  webinar: {
    weight: 10,
    conversion: 0.11,
    score: 47,
    campaigns: list("Calibration without downtime,Reading drift early,Audit-proof records"),
    type: "Inbound",
    subTypes: list("Event visitor,Content download"),
  },
  advertising: {
    weight: 14,
    conversion: 0.07,
    score: 40,
    campaigns: list("Precision pays,Every tenth of a degree,Search ads"),
    type: "Inbound",
    subTypes: list("Web form,Demo request"),
  },
  social: {
    weight: 10,
    conversion: 0.05,
    score: 36,
    campaigns: list("Behind the gauge,Plant stories"),
    type: "Inbound",
    subTypes: list("Web form,Content download"),
  },
  partner: {
    weight: 7,
    conversion: 0.23,
    score: 62,
    campaigns: list("Integrator programme"),
    type: "Partner",
    subTypes: list("Reseller,Integrator"),
  },
  cold_call: {
    weight: 7,
    conversion: 0.05,
    score: 33,
    campaigns: list("Spring outreach,Autumn outreach"),
    type: "Outbound",
    subTypes: list("Cold outreach"),
  },
  purchased_list: {
    weight: 4,
    conversion: 0.02,
    score: 22,
    campaigns: list("Plant managers list"),
    type: "Outbound",
    subTypes: list("Purchased list"),
  },
};

/** Types and their sub types, by what they apply to. */
export const kinds = {
  leads: {
    Inbound: list("Web form,Demo request,Content download,Event visitor"),
    Outbound: list("Cold outreach,Purchased list"),
    Partner: list("Referral,Reseller,Integrator"),
  },
  peoples: {
    "Customer contact": list("Decision maker,Influencer,User"),
    "Prospect contact": list("Decision maker,Influencer,User"),
    "Partner contact": list("Reseller,Integrator"),
  },
  companies: {
    Prospect: list("Target account,In evaluation"),
    Customer: list("Strategic,Mid-market,Small business"),
    Partner: list("Reseller,Integrator"),
  },
  opportunities: {
    "New business": list("Instruments,Monitoring software,Complete line"),
    Expansion: list("Additional site,Upgrade"),
    Renewal: list("Calibration service,Software subscription"),
  },
} as const;

export const deals: Readonly<Record<string, readonly string[]>> = {
  Instruments: list("flow meters,pressure transmitters,lab balances,thermal imaging,gas analyzers,level sensors"),
  "Monitoring software": list("monitoring platform,alarm management,data historian,fleet dashboard"),
  "Complete line": list("line instrumentation,new plant package,laboratory fit-out,clean-room monitoring"),
  "Additional site": list("second site,new warehouse,pilot plant,overseas plant"),
  Upgrade: list("sensor upgrade,wireless retrofit,firmware and gateway upgrade"),
  "Calibration service": list("calibration contract,annual calibration,on-site service"),
  "Software subscription": list("subscription renewal,support renewal,license extension"),
};

export const jobs = [
  { title: "Managing Director", department: "management", senior: true, weight: 4 },
  { title: "Plant Manager", department: "operations", senior: true, weight: 10 },
  { title: "Head of Operations", department: "operations", senior: true, weight: 6 },
  { title: "Production Supervisor", department: "operations", senior: false, weight: 8 },
  { title: "Maintenance Engineer", department: "engineering", senior: false, weight: 12 },
  { title: "Process Engineer", department: "engineering", senior: false, weight: 14 },
  { title: "Head of Engineering", department: "engineering", senior: true, weight: 5 },
  { title: "Quality Manager", department: "quality", senior: true, weight: 10 },
  { title: "Laboratory Manager", department: "quality", senior: true, weight: 7 },
  { title: "Calibration Technician", department: "quality", senior: false, weight: 7 },
  { title: "Purchasing Manager", department: "purchasing", senior: true, weight: 7 },
  { title: "Buyer", department: "purchasing", senior: false, weight: 8 },
  { title: "Finance Director", department: "finance", senior: true, weight: 3 },
  { title: "IT Manager", department: "it", senior: true, weight: 5 },
  { title: "Systems Engineer", department: "it", senior: false, weight: 5 },
] as const;

export const competitors = list("Kestrel Metering,Ostara Sensors,Bluefin Controls,Gaugeworks,Verimetrix");

export const nextSteps: Readonly<Record<string, readonly string[]>> = {
  qualification: list("Book a first call,Confirm the budget holder,Send the product overview"),
  needs_analysis: list("Site visit,Collect measuring points,Workshop with engineering"),
  proposal: list("Send the revised offer,Walk through the offer,Agree on a pilot"),
  negotiation: list("Clear the delivery terms,Answer legal,Final price with purchasing"),
};

export const leadNotes = [
  "Replaces ageing instruments in one line; wants a pilot first.",
  "Asked for accuracy figures and calibration intervals.",
  "Has an audit in the coming quarter, and gaps in the records.",
  "Compares three suppliers; the decision is with purchasing.",
  "Saw the demonstration at our stand and took the data sheets.",
  "Plans a new site and collects offers early.",
  "Only collects information for now.",
  "Is unhappy with the response times of the current supplier.",
] as const;

export const companyNotes = [
  "Family business in its third generation; decisions are quick once the owner agrees.",
  "Central purchasing, local plants decide on instruments.",
  "Frame contract runs until the end of next year.",
  "Measures by hand today and wants to automate in steps.",
  "Certified to ISO 9001; calibration certificates matter a lot.",
] as const;

export const remarks = [
  "Spoke on the phone; sounds interested and asked for a callback next week.",
  "Left a voice message and sent the data sheet by mail.",
  "They want references from the same industry. Can anybody name one?",
  "Budget is approved, the order waits for a signature.",
  "The plant is closed for maintenance until the end of the month.",
  "Price is fine, delivery time is the issue.",
  "Met at the fair: knows our older instruments and likes them.",
  "The contact has changed; please use the new one from now on.",
  "Asked for a trial unit for four weeks.",
  "Competitor offered ten per cent less, without service.",
] as const;

export const answers = [
  "Thanks, I will take it from here.",
  "We delivered to a similar plant last year; I will send you the report.",
  "Agreed. Let us talk about it on Monday.",
  "Done, the trial unit is on its way.",
  "I would not lower the price, but we can add a year of calibration.",
] as const;

/** `{{administrator}}` is the user name of whoever runs the service. */
export const requests = [
  "@{{administrator}} they ask for payment in three parts. Is that all right with us?",
  "@{{administrator}} could you join the call on Thursday? They want to hear it from the top.",
  "@{{administrator}} their lawyers changed the terms of delivery; please have a look before I answer.",
] as const;
