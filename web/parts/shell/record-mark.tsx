// What stands before a record in a narrow list: its face where its type has one, else the icon of the type.
import { Face, faceShape } from "../layout/face.tsx";
import { NamedIcon } from "../layout/icon.tsx";

export function RecordMark({ name, icon }: { readonly name: string; readonly icon: string | null | undefined }) {
  const shape = faceShape(icon);
  return shape ? <Face name={name} shape={shape} size={18} /> : <NamedIcon name={icon} />;
}
