// The lists that several record types of the CRM choose from, so that a lead's value still fits once it is converted.

export const sources = [
  { value: "web", label: "Website" },
  { value: "referral", label: "Referral" },
  { value: "event", label: "Trade show" },
  { value: "webinar", label: "Webinar" },
  { value: "advertising", label: "Advertising" },
  { value: "social", label: "Social media" },
  { value: "partner", label: "Partner" },
  { value: "cold_call", label: "Cold call" },
  { value: "purchased_list", label: "Purchased list" },
] as const;

export const ratings = [
  { value: "hot", label: "Hot", color: "red" },
  { value: "warm", label: "Warm", color: "orange" },
  { value: "cold", label: "Cold", color: "blue" },
] as const;

export const salutations = [
  { value: "ms", label: "Ms" },
  { value: "mr", label: "Mr" },
  { value: "mx", label: "Mx" },
  { value: "dr", label: "Dr" },
  { value: "prof", label: "Prof." },
] as const;

export const industries = [
  { value: "agriculture", label: "Agriculture" },
  { value: "automotive", label: "Automotive" },
  { value: "chemicals", label: "Chemicals" },
  { value: "construction", label: "Construction" },
  { value: "education", label: "Education" },
  { value: "energy", label: "Energy" },
  { value: "finance", label: "Finance" },
  { value: "food", label: "Food and drink" },
  { value: "healthcare", label: "Healthcare" },
  { value: "logistics", label: "Logistics" },
  { value: "manufacturing", label: "Manufacturing" },
  { value: "pharmaceuticals", label: "Pharmaceuticals" },
  { value: "public_sector", label: "Public sector" },
  { value: "retail", label: "Retail" },
  { value: "technology", label: "Technology" },
  { value: "telecommunications", label: "Telecommunications" },
] as const;

export const departments = [
  { value: "management", label: "Management" },
  { value: "operations", label: "Operations" },
  { value: "engineering", label: "Engineering" },
  { value: "quality", label: "Quality" },
  { value: "purchasing", label: "Purchasing" },
  { value: "finance", label: "Finance" },
  { value: "it", label: "IT" },
  { value: "sales", label: "Sales" },
  { value: "marketing", label: "Marketing" },
  { value: "human_resources", label: "Human resources" },
] as const;

export const tags = [
  { value: "key_account", label: "Key account", color: "violet" },
  { value: "decision_maker", label: "Decision maker", color: "indigo" },
  { value: "newsletter", label: "Newsletter", color: "cyan" },
  { value: "pilot", label: "Pilot", color: "teal" },
  { value: "competitor_user", label: "Uses a competitor", color: "orange" },
  { value: "budget_approved", label: "Budget approved", color: "green" },
  { value: "long_cycle", label: "Long cycle", color: "gray" },
  { value: "urgent", label: "Urgent", color: "red" },
  { value: "renewal", label: "Renewal", color: "lime" },
  { value: "reference", label: "Reference customer", color: "grape" },
] as const;

export const lostReasons = [
  { value: "price", label: "Price" },
  { value: "competitor", label: "Lost to a competitor" },
  { value: "no_budget", label: "No budget" },
  { value: "no_decision", label: "No decision" },
  { value: "timing", label: "Bad timing" },
  { value: "missing_feature", label: "Missing feature" },
  { value: "no_response", label: "No response" },
] as const;
