// Adds decimal texts exactly: no float, no rounding. `1.10` + `2` is `3.10`: the longest fraction is kept.

const parts = /^(-?)(\d+)(?:\.(\d+))?$/u;

export function decimalSum(texts: Iterable<string>): string {
  let scale = 0;
  let sum = 0n;
  for (const text of texts) {
    const match = parts.exec(text);
    if (!match) throw new Error(`not a decimal number: ${text}`);
    const [, sign, whole = "0", fraction = ""] = match;
    if (fraction.length > scale) {
      sum *= 10n ** BigInt(fraction.length - scale);
      scale = fraction.length;
    }
    const value = BigInt(whole + fraction.padEnd(scale, "0"));
    sum += sign === "-" ? -value : value;
  }
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sum < 0n ? `-${text}` : text;
}
