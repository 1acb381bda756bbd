// A word in a quiet frame: a property, a state. Color only where it means something.
import classes from "./tag.module.css";

interface TagProps {
  readonly children: string;
  readonly tone?: "plain" | "word" | "strong" | "good" | "bad";
}

export function Tag({ children, tone = "plain" }: TagProps) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
