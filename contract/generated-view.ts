// The view that a record type has before anybody saved one: it has an id like any other, always the same for its type.

const VIEW = "00000000-0000-8000-8000-";
const CATEGORY = "00000000-0000-8000-9000-";
/** Under which earlier addresses name it. */
const NIL = "00000000-0000-0000-0000-000000000000";

/** FNV-1a, 12 hexadecimal digits of it: no secret, only always the same. */
function digits(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return BigInt.asUintN(48, hash).toString(16).padStart(12, "0");
}

/** `key`: `<module>/<controller>`. */
export const generatedViewId = (key: string): string => VIEW + digits(key);

export const generatedCategoryId = (key: string): string => CATEGORY + digits(key);

export const isGeneratedView = (id: string): boolean => id === NIL || id.startsWith(VIEW);
