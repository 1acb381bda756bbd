// The mark and the name.
import classes from "./brand.module.css";

export function BrandMark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={classes.mark}>
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path
        d="M9 10.5A1.5 1.5 0 0 1 10.5 9h4.2c.5 0 .9.2 1.2.5l1.3 1.5h4.3A1.5 1.5 0 0 1 23 12.5V14H9z"
        fill="#fff"
        opacity=".55"
      />
      <path d="M9 14.5h14v7A1.5 1.5 0 0 1 21.5 23h-11A1.5 1.5 0 0 1 9 21.5z" fill="#fff" />
    </svg>
  );
}
