// What stands before a record in a narrow list: its face where its type has one, else the icon of the type.
import { Face, faceShape } from "../layout/face.tsx";
import { NamedIcon } from "../layout/icon.tsx";

interface RecordMarkProps {
  readonly name: string;
  readonly icon: string | null | undefined;
  readonly size?: number;
}

export function RecordMark({ name, icon, size = 18 }: RecordMarkProps) {
  const shape = faceShape(icon);
  return shape ? <Face name={name} shape={shape} size={size} /> : <NamedIcon name={icon} />;
}
