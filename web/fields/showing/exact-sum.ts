// Adds decimal texts of the wire exactly: no amount passes through a floating number.

export function sumOf(texts: readonly string[]): string {
  const places = Math.max(0, ...texts.map((text) => text.split(".")[1]?.length ?? 0));
  const scaled = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
    const units = BigInt(`${whole}${fraction.padEnd(places, "0")}`);
    return text.startsWith("-") ? -units : units;
  };
  const sum = texts.reduce((total, text) => total + scaled(text), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return sum < 0n ? `-${text}` : text;
}
