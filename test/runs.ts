// How often a rule with many cases is tried: a few new cases in every run of the suite; THOROUGH=10 tries ten times as many.
const thorough = Number(process.env.THOROUGH ?? 1);

export const runs = (few: number): number => few * thorough;
