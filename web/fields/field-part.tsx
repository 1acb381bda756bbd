// A component of a field type that is fetched apart from what lists and tiles show: inputs and what they are made of.
// Screens that people type in are fetched together with all of them (with-field-parts.ts), so that none comes late.
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/** A component; `fetchPart` where it is fetched when it is needed. */
export type FieldPart<Props> = ((props: Props) => ReactNode) & { readonly fetchPart?: () => Promise<void> };

export function fieldPart<Props extends object>(load: () => Promise<ComponentType<Props>>): FieldPart<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const fetchPart = async (): Promise<void> => {
    Loaded ??= await load();
  };
  function Part(props: Props) {
    const [, setFetched] = useState(false);
    useEffect(() => {
      if (Loaded !== undefined) return;
      fetchPart().then(
        () => setFetched(true),
        // The page around it says that something could not be fetched.
        (error: unknown) =>
          setFetched(() => {
            throw error;
          }),
      );
    }, []);
    return Loaded === undefined ? null : <Loaded {...props} />;
  }
  return Object.assign(Part, { fetchPart });
}
