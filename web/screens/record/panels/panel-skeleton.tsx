// Lines where a panel will be.
import { Skeleton } from "@mantine/core";

export function PanelSkeleton() {
  return [88, 64, 76, 52].map((width) => <Skeleton key={width} h={11} w={`${width}%`} my={16} />);
}
